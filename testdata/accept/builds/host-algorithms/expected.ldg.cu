// Lambdas that host code hands to algorithms: clang names them by the places at
// which they stand, and the rewrite moves those.
//
// pipelinify: launch column_sums
//   sizes n=0,16,24,80
//   target n=32768
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

#define TILE 16

__global__ void column_sums(const float *__restrict__ a,
                            float *__restrict__ o, int n)
{
    __shared__ float s_stage[2][TILE];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 1372b658
    int t = 0, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x] = t + threadIdx.x < n ? a[t + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += TILE; t < n; t += TILE) {
            float s_next = t + threadIdx.x < n ? a[t + threadIdx.x] : 0.f;
            for (int i = 0; i < TILE; ++i)
                sum += s_stage[stage][i] * (i + 1);
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            sum += s_stage[stage][i] * (i + 1);
    }
    o[threadIdx.x] = sum;
}

static double reference(const std::vector<float> &a)
{
    double sum = 0;
    int i = 0;
    std::for_each(a.begin(), a.end(), [&](float v) { sum += v * (i++ % TILE + 1); });
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::stoi(argv[1]) : 80;
    std::vector<float> a(n + 1);
    float next = 0;
    std::generate(a.begin(), a.end(), [&] { return next += 1; });
    std::sort(a.begin(), a.end(), [](float l, float r) { return l > r; });
    std::unique_ptr<float[]> out(new float[TILE]);
    float *da, *dout;
    auto begin = std::chrono::high_resolution_clock::now();
    cudaMalloc(&da, a.size() * sizeof(float));
    cudaMalloc(&dout, TILE * sizeof(float));
    cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    column_sums<<<1, TILE>>>(da, dout, n);
    cudaMemcpy(out.get(), dout, TILE * sizeof(float), cudaMemcpyDeviceToHost);
    std::chrono::duration<double, std::milli> ms =
        std::chrono::high_resolution_clock::now() - begin;
    std::cout << std::setw(8) << out[0] << " " << reference(a) << " "
              << ms.count() << " ms" << std::endl;
    cudaFree(da);
    cudaFree(dout);
    return 0;
}
