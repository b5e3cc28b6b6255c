#include <memory>
#include <utility>
#include <cuda_runtime.h>
struct CudaFree { void operator()(void *p) const noexcept { cudaFree(p); } };
template <class T> using device_ptr = std::unique_ptr<T[], CudaFree>;
template <class T> device_ptr<T> make_device(size_t n)
{
    T *p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) return nullptr;
    return device_ptr<T>(p);
}
// pipelinify: launch sums
//   sizes n=0,16,24,80
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
#define TILE 16
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[TILE];
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s[threadIdx.x] = t + threadIdx.x < n ? a[t + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i] * (i + 1);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
struct Stream {
    cudaStream_t s{};
    Stream() { cudaStreamCreate(&s); }
    ~Stream() { cudaStreamDestroy(s); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    Stream(Stream &&o) noexcept : s(std::exchange(o.s, nullptr)) {}
    operator cudaStream_t() const { return s; }
};
int shared_by(std::shared_ptr<int> p)
{
    auto other = p;
    return *other + (int)other.use_count();
}
int main()
{
    auto a = make_device<float>(80);
    auto b = make_device<float>(TILE);
    auto host = std::make_unique<float[]>(TILE);
    std::shared_ptr<Stream> s = std::make_shared<Stream>();
    std::unique_ptr<int, void (*)(int *)> lambda(new int(3), [](int *p) { delete p; });
    sums<<<1, TILE, 0, *s>>>(a.get(), b.get(), *lambda);
    cudaMemcpyAsync(host.get(), b.get(), TILE * sizeof(float), cudaMemcpyDeviceToHost, s->s);
    cudaStreamSynchronize(*s);
    return host[0] > 0;
}
