// Course homework: naive, tiled and wide-tile matrix multiply, with a small driver that compares them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

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
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0;
    // pipelinify: ldg-single, 1 stage, source 4bcd3b45
    int ph = 0;
    if (ph < ceil(width / (float)TILE_WIDTH)) {
        if ((Row < width) && (ph * TILE_WIDTH + tx) < width)
            Mds[ty][tx] = M[Row * width + ph * TILE_WIDTH + tx];
        else Mds[ty][tx] = 0.0f;
        if ((ph * TILE_WIDTH + ty) < width && Col < width)
            Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * width + Col];
        else Nds[ty][tx] = 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++ph; ph < ceil(width / (float)TILE_WIDTH); ++ph) {
            float Mds_next;
            float Nds_next;
            if ((Row < width) && (ph * TILE_WIDTH + tx) < width)
                Mds_next = M[Row * width + ph * TILE_WIDTH + tx];
            else
                Mds_next = 0.0f;
            if ((ph * TILE_WIDTH + ty) < width && Col < width)
                Nds_next = N[(ph * TILE_WIDTH + ty) * width + Col];
            else
                Nds_next = 0.0f;

            for (int k = 0; k < TILE_WIDTH; ++k) {
                Pvalue += Mds[ty][k] * Nds[k][tx];
            }
            __syncthreads();
            Mds[ty][tx] = Mds_next;
            Nds[ty][tx] = Nds_next;
            __syncthreads();
        }
        for (int k = 0; k < TILE_WIDTH; ++k) {
            Pvalue += Mds[ty][k] * Nds[k][tx];
        }
    }
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
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][COARSE * TILE_WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int colStart = blockIdx.x * TILE_WIDTH * COARSE + tx;

    float Pvalue[COARSE];
    for (int c = 0; c < COARSE; ++c)
        Pvalue[c] = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 33ca2eed
    int ph = 0;
    if (ph < width / TILE_WIDTH) {
        Mds[ty][tx] = M[row * width + ph * TILE_WIDTH + tx];
        for (int c = 0; c < COARSE; ++c)
            Nds[ty][c * TILE_WIDTH + tx] = N[(ph * TILE_WIDTH + ty) * width + colStart + c * TILE_WIDTH];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++ph; ph < width / TILE_WIDTH; ++ph) {
            float Nds_next[COARSE];
            float Mds_next = M[row * width + ph * TILE_WIDTH + tx];
            #pragma unroll
            for (int c = 0; c < COARSE; ++c)
                Nds_next[c] = N[(ph * TILE_WIDTH + ty) * width + colStart + c * TILE_WIDTH];

            for (int k = 0; k < TILE_WIDTH; ++k)
                for (int c = 0; c < COARSE; ++c)
                    Pvalue[c] += Mds[ty][k] * Nds[k][c * TILE_WIDTH + tx];
            __syncthreads();
            Mds[ty][tx] = Mds_next;
            #pragma unroll
            for (int c = 0; c < COARSE; ++c)
                Nds[ty][c * TILE_WIDTH + tx] = Nds_next[c];
            __syncthreads();
        }
        for (int k = 0; k < TILE_WIDTH; ++k)
            for (int c = 0; c < COARSE; ++c)
                Pvalue[c] += Mds[ty][k] * Nds[k][c * TILE_WIDTH + tx];
    }

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
