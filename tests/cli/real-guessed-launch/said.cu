// Every block's dot products with a window that turns; a tile is overwritten
// while slower threads still read it.

__global__ void dots(const float *a, const float *b, float *out, int n)
{
    __shared__ float left[128], right[128];
    float sum = 0.f;
    for (int at = 0; at < n; at += 128) {
        left[threadIdx.x] = a[at + threadIdx.x];
        right[threadIdx.x] = b[at + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += left[i] * right[(i + threadIdx.x) % 128];
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// pipelinify: launch dots
//   sizes n=128,512
//   grid 2
//   block 128
//   a: in [n]
//   b: in [n]
//   out: out [256]
//   n: n
int main()
{
    int n = 1024, blocks = 4;
    float *a, *b, *out;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    cudaMallocManaged(&out, blocks * 128 * sizeof(float));
    for (int i = 0; i < n; ++i) {
        a[i] = rand() % 5;
        b[i] = rand() % 5;
    }
    dots<<<blocks, 128>>>(a, b, out, n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
