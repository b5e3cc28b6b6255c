#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
template <typename scalar_t>
__global__ void linear_kernel(const scalar_t* __restrict__ x, const scalar_t* __restrict__ w, scalar_t* __restrict__ y, int B, int I, int O) {
  __shared__ scalar_t xs[16][16], ws[16][17];
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  scalar_t acc = 0;
  for (int k = 0; k < I; k += 16) {
    xs[threadIdx.y][threadIdx.x] = (r < B && k + threadIdx.x < I) ? x[r * I + k + threadIdx.x] : scalar_t(0);
    ws[threadIdx.y][threadIdx.x] = (blockIdx.x * 16 + threadIdx.y < O && k + threadIdx.x < I) ? w[(blockIdx.x * 16 + threadIdx.y) * I + k + threadIdx.x] : scalar_t(0);
    __syncthreads();
    for (int j = 0; j < 16; ++j) acc += xs[threadIdx.y][j] * ws[threadIdx.x][j];
    __syncthreads();
  }
  if (r < B && c < O) y[r * O + c] = acc;
}
torch::Tensor linear_forward(torch::Tensor x, torch::Tensor w) {
  CHECK_CUDA(x);
  const auto B = x.size(0);
  const auto I = x.size(1);
  const auto O = w.size(0);
  auto y = torch::empty({B, O}, x.options());
  const dim3 threads(16, 16);
  const dim3 blocks((O + 15) / 16, (B + 15) / 16);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear_forward", ([&] {
    linear_kernel<scalar_t><<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), B, I, O);
  }));
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &linear_forward, "linear"); }
