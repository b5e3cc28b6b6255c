#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstring>
#include <csignal>
#include <cstdarg>
#define DRV(x) do { CUresult r = (x); if (r != CUDA_SUCCESS) { const char *m; cuGetErrorString(r, &m); log_line("%s: %s", #x, m); return 1; } } while (0)
static void log_line(const char *f, ...) { va_list ap; va_start(ap, f); vfprintf(stderr, f, ap); va_end(ap); }
static volatile sig_atomic_t stop;
static void on_signal(int) { stop = 1; }
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
int main()
{
    CUdevice dev; CUcontext ctx; CUmodule mod; CUfunction fn; CUdeviceptr p;
    std::signal(SIGINT, on_signal);
    DRV(cuInit(0)); DRV(cuDeviceGet(&dev, 0)); DRV(cuCtxCreate(&ctx, 0, dev));
    DRV(cuModuleLoad(&mod, "k.ptx")); DRV(cuModuleGetFunction(&fn, mod, "sums")); DRV(cuMemAlloc(&p, 400));
    int n = 80; void *args[] = {&p, &p, &n};
    DRV(cuLaunchKernel(fn, 1, 1, 1, TILE, 1, 1, 0, nullptr, args, nullptr));
    sums<<<1, TILE>>>((float *)p, (float *)p, n);
    return stop;
}
