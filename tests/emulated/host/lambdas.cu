#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <cstdio>
#include <vector>
#include <algorithm>
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
template <class F> float time_it(F &&f, int repeat = 10)
{
    cudaEvent_t b, e;
    cudaEventCreate(&b); cudaEventCreate(&e);
    cudaEventRecord(b);
    for (int i = 0; i < repeat; ++i) std::forward<F>(f)();
    cudaEventRecord(e); cudaEventSynchronize(e);
    float ms = 0; cudaEventElapsedTime(&ms, b, e);
    return ms / repeat;
}
int main()
{
    float *a, *o; int n = 80;
    cudaMalloc(&a, n * 4); cudaMalloc(&o, 64);
    std::map<std::string, std::function<void()>> table;
    table["sums"] = [=] { sums<<<1, TILE>>>(a, o, n); };
    table.emplace("again", [&]() mutable { sums<<<dim3(1), dim3(TILE)>>>(a, o, n); });
    std::unordered_map<std::string, float> times;
    for (auto &[name, run] : table) times[name] = time_it(run);
    std::vector<std::pair<std::string, float>> sorted(times.begin(), times.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto &l, const auto &r) { return l.second < r.second; });
    for (const auto &p : sorted) std::printf("%-10s %8.3f ms\n", p.first.c_str(), p.second);
    auto it = std::find_if(sorted.begin(), sorted.end(), [](auto &p) { return p.second > 1; });
    return it == sorted.end();
}
