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
#include <cuda_pipeline.h>

#define TILE 16

__global__ void column_sums(const float *__restrict__ a,
                            float *__restrict__ o, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][TILE];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source 1372b658
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &a[t_load + threadIdx.x],
                                    sizeof(float), (t_load + threadIdx.x < n) ? 0 : sizeof(float));
            t_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; t += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < TILE; ++i)
            sum += s_stage[stage][i] * (i + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
