#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>
#include <queue>
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
static std::mutex lock;
static std::atomic<int> done{0};
static std::condition_variable cv;
static std::queue<int> work;
static void worker(int device, int n)
{
    float *a, *o;
    cudaSetDevice(device);
    cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&o, 64);
    sums<<<1, TILE>>>(a, o, n);
    cudaDeviceSynchronize();
    std::lock_guard<std::mutex> g(lock);
    done.fetch_add(1, std::memory_order_relaxed);
    cv.notify_one();
}
static int waiting() { std::unique_lock<std::mutex> g(lock); cv.wait(g, [] { return !work.empty(); }); int w = work.front(); work.pop(); return w; }
int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(worker, i, 80);
    for (auto &t : threads) t.join();
    auto f = std::async(std::launch::async, [] { return done.load(); });
    std::thread([] { ++done; }).detach();
    return f.get() != 4 || waiting();
}
