#include <cstdio>
#include <vector>
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
class Pool {
    std::vector<cudaStream_t> streams_;
    std::vector<cudaEvent_t> events_;
public:
    explicit Pool(int n) : streams_(n), events_(n)
    {
        for (auto &s : streams_) cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, 0);
        for (auto &e : events_) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    }
    ~Pool() { for (auto s : streams_) cudaStreamDestroy(s); for (auto e : events_) cudaEventDestroy(e); }
    cudaStream_t operator[](int i) const { return streams_[i]; }
    cudaEvent_t event(int i) { return events_.at(i); }
    int size() const { return (int)streams_.size(); }
};
static void CUDART_CB on_done(cudaStream_t, cudaError_t e, void *p) { *(int *)p = e; }
int main()
{
    Pool pool(4);
    float *host, *d, *o; int flag = 0;
    cudaHostAlloc((void **)&host, 4 * 400, cudaHostAllocDefault);
    cudaMalloc(&d, 4 * 400); cudaMalloc(&o, 4 * 64);
    for (int i = 0; i < pool.size(); ++i) {
        cudaMemcpyAsync(d + i * 100, host + i * 100, 400, cudaMemcpyHostToDevice, pool[i]);
        sums<<<1, TILE, 0, pool[i]>>>(d + i * 100, o + i * TILE, 80);
        cudaEventRecord(pool.event(i), pool[i]);
        if (i) cudaStreamWaitEvent(pool[i], pool.event(i - 1), 0);
    }
    cudaStreamAddCallback(pool[0], on_done, &flag, 0);
    while (cudaEventQuery(pool.event(0)) == cudaErrorNotReady) ;
    cudaMemset(d, 0, 400); cudaMemsetAsync(d, 0, 400, pool[0]);
    cudaFreeHost(host);
}
