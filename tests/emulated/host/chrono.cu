#include <chrono>
#include <iomanip>
#include <iostream>
#include <ctime>
class Timer {
    std::chrono::time_point<std::chrono::high_resolution_clock> begin_ = std::chrono::high_resolution_clock::now();
public:
    double ms() const { using namespace std::chrono; return duration_cast<microseconds>(high_resolution_clock::now() - begin_).count() / 1e3; }
    void reset() { begin_ = std::chrono::high_resolution_clock::now(); }
};
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
    using clock_type = std::chrono::steady_clock;
    float *a, *o;
    cudaMalloc(&a, 400); cudaMalloc(&o, 64);
    Timer t;
    auto start = clock_type::now();
    clock_t c = clock();
    for (int i = 0; i < 100; ++i) sums<<<1, TILE>>>(a, o, 80);
    cudaDeviceSynchronize();
    std::chrono::duration<double> s = clock_type::now() - start;
    std::chrono::duration<float, std::milli> f = clock_type::now() - start;
    std::cout << std::fixed << std::setprecision(3) << t.ms() << " ms " << s.count() << " s " << f.count() << " "
              << double(clock() - c) / CLOCKS_PER_SEC << std::endl;
    std::time_t now = std::time(nullptr);
    std::cout << std::put_time(std::localtime(&now), "%F %T") << std::left << std::setw(3) << std::setfill('.') << 1 << "\n";
}
