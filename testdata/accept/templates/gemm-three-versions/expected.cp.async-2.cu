// Course homework: naive, tiled and wide-tile matrix multiply, with a small driver that compares them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define CUDA_CHECK(call)                                              \
    do {                                                              \
        cudaError_t err_ = (call);                                    \
        if (err_ != cudaSuccess) {                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,        \
                    cudaGetErrorString(err_));                        \
            exit(EXIT_FAILURE);                                       \
        }                                                             \
    } while (0)

#define TILE_WIDTH 16
#define COARSE 4

// one thread, one element, everything from global memory
__global__ void mmNaive(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < width && col < width) {
        float v = 0;
        for (int k = 0; k < width; ++k)
            v += M[row * width + k] * N[k * width + col];
        P[row * width + col] = v;
    }
}

// pipelinify: launch mmTiled
//   sizes    width=1,15,16,17,32,33,48,64,80
//   target   width=4096
//   grid     (width + 15) / 16, (width + 15) / 16
//   block    16, 16
//   M:       in  [width * width]
//   N:       in  [width * width]
//   P:       out [width * width]
//   width:   width
__global__ void mmTiled(const float *M, const float *N, float *P, int width)
{
    __shared__ float Mds_stage[2][TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds_stage[2][TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0;
    // pipelinify: cp.async, 2 stages, source 4bcd3b45
    int ph_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (ph_load < ceil(width / (float)TILE_WIDTH)) {
            if ((Row < width) && (ph_load * TILE_WIDTH + tx) < width)
                __pipeline_memcpy_async(&Mds_stage[load_stage][ty][tx], &M[Row * width + ph_load * TILE_WIDTH + tx],
                                        sizeof(float));
            else
                Mds_stage[load_stage][ty][tx] = 0.0f;
            if ((ph_load * TILE_WIDTH + ty) < width && Col < width)
                __pipeline_memcpy_async(&Nds_stage[load_stage][ty][tx], &N[(ph_load * TILE_WIDTH + ty) * width + Col],
                                        sizeof(float));
            else
                Nds_stage[load_stage][ty][tx] = 0.0f;
            ++ph_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int ph = 0; ph < ceil(width / (float)TILE_WIDTH); ++ph) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < TILE_WIDTH; ++k) {
            Pvalue += Mds_stage[stage][ty][k] * Nds_stage[stage][k][tx];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if ((Row < width) && (Col < width)) P[Row * width + Col] = Pvalue;
}

// pipelinify: launch mmCoarse
//   sizes    width=64
//   sizes    width=128
//   target   width=4096
//   grid     width / 64, width / 16
//   block    16, 16
//   M:       in  [width * width]
//   N:       in  [width * width]
//   P:       out [width * width]
//   width:   width
__global__ void mmCoarse(const float *M, const float *N, float *P, int width)
{
    __shared__ float Mds_stage[2][TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds_stage[2][TILE_WIDTH][COARSE * TILE_WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int colStart = blockIdx.x * TILE_WIDTH * COARSE + tx;

    float Pvalue[COARSE];
    for (int c = 0; c < COARSE; ++c)
        Pvalue[c] = 0.0f;

    // pipelinify: cp.async, 2 stages, source 33ca2eed
    int ph_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (ph_load < width / TILE_WIDTH) {
            __pipeline_memcpy_async(&Mds_stage[load_stage][ty][tx], &M[row * width + ph_load * TILE_WIDTH + tx],
                                    sizeof(float));
            for (int c = 0; c < COARSE; ++c)
                __pipeline_memcpy_async(&Nds_stage[load_stage][ty][c * TILE_WIDTH + tx],
                                        &N[(ph_load * TILE_WIDTH + ty) * width + colStart + c * TILE_WIDTH],
                                        sizeof(float));
            ++ph_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int ph = 0; ph < width / TILE_WIDTH; ++ph) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < TILE_WIDTH; ++k)
            for (int c = 0; c < COARSE; ++c)
                Pvalue[c] += Mds_stage[stage][ty][k] * Nds_stage[stage][k][c * TILE_WIDTH + tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    for (int c = 0; c < COARSE; ++c)
        P[row * width + colStart + c * TILE_WIDTH] = Pvalue[c];
}

int main()
{
    const int width = 512;
    const size_t bytes = sizeof(float) * width * width;
    std::vector<float> h(width * width), p0(width * width), p1(width * width);
    for (size_t i = 0; i < h.size(); ++i)
        h[i] = rand() / (float)RAND_MAX - 0.5f;

    float *dM, *dN, *dP;
    CUDA_CHECK(cudaMalloc(&dM, bytes));
    CUDA_CHECK(cudaMalloc(&dN, bytes));
    CUDA_CHECK(cudaMalloc(&dP, bytes));
    CUDA_CHECK(cudaMemcpy(dM, h.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dN, h.data(), bytes, cudaMemcpyHostToDevice));

    dim3 block(TILE_WIDTH, TILE_WIDTH);
    dim3 grid(width / TILE_WIDTH, width / TILE_WIDTH);
    mmNaive<<<grid, block>>>(dM, dN, dP, width);
    CUDA_CHECK(cudaMemcpy(p0.data(), dP, bytes, cudaMemcpyDeviceToHost));
    mmTiled<<<grid, block>>>(dM, dN, dP, width);
    CUDA_CHECK(cudaMemcpy(p1.data(), dP, bytes, cudaMemcpyDeviceToHost));

    float worst = 0;
    for (size_t i = 0; i < p0.size(); ++i)
        worst = fmaxf(worst, fabsf(p0[i] - p1[i]));
    printf("tiled:  max difference %g\n", worst);

    mmCoarse<<<dim3(width / TILE_WIDTH / COARSE, width / TILE_WIDTH), block>>>(dM, dN, dP, width);
    CUDA_CHECK(cudaMemcpy(p1.data(), dP, bytes, cudaMemcpyDeviceToHost));
    worst = 0;
    for (size_t i = 0; i < p0.size(); ++i)
        worst = fmaxf(worst, fabsf(p0[i] - p1[i]));
    printf("coarse: max difference %g\n", worst);

    CUDA_CHECK(cudaFree(dM));
    CUDA_CHECK(cudaFree(dN));
    CUDA_CHECK(cudaFree(dP));
    return 0;
}
