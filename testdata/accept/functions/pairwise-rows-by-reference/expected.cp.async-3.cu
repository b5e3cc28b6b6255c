// Squared distances between two sets of points: rows of the tiles are filled through references and
// pointers, and every bound is asked of the tiles themselves.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

constexpr int PTS = 16, FEAT = 24;

template <typename T, int N> __host__ __device__ constexpr int count_of(const T (&)[N]) { return N; }

// pipelinify: launch pairwise
//   sizes    nx=16,21 ny=16 dim=0,1,23,24,25,48,72,96,120
//   sizes    nx=5 ny=33 dim=50
//   let      stride = dim + 3
//   target   nx=4096 ny=4096 dim=1024
//   requires nx > 0 && ny > 0
//   grid     (ny + 15) / 16, (nx + 15) / 16
//   block    16, 16
//   xs:      in  [nx * stride]
//   ys:      in  [ny * stride]
//   nx:      nx
//   ny:      ny
//   dim:     dim
//   stride:  stride
//   out:     out [nx * ny]
__global__ void __launch_bounds__(256)
pairwise(const float *__restrict__ xs, const float *__restrict__ ys, int nx, int ny, int dim,
         int stride, float *__restrict__ out)
{
    constexpr int stages = 3;
    __shared__ float tx_stage[stages][PTS][FEAT + 1], ty_stage[stages][PTS][FEAT + 1];
    __shared__ float seen[COUNT_OF(tx_stage[0])];
    constexpr int rowBytes = sizeof(tx_stage[0][0]);
    const int lane = threadIdx.y * PTS + threadIdx.x;
    const int x0 = blockIdx.y * PTS, y0 = blockIdx.x * PTS;

    if (lane < (int)COUNT_OF(seen))
        seen[lane] = 0.f;
    __syncthreads();

    float d2 = 0.f;
    // pipelinify: cp.async, 3 stages, source cc8d0ab4
    int f0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (f0_load < dim) {
            // One row of each tile for sixteen threads.
            float (&xrow)[FEAT + 1] = tx_stage[load_stage][threadIdx.y];
            const float *src = xs + (x0 + threadIdx.y) * stride + f0_load;
            for (int f = threadIdx.x; f < FEAT; f += PTS)
                __pipeline_memcpy_async(&xrow[f], &src[f], sizeof(float),
                                        (x0 + threadIdx.y < nx && f0_load + f < dim) ? 0 : sizeof(float));
            for (int i = lane; i < count_of(ty_stage[load_stage]) * FEAT; i += 256) {
                auto &yrow = ty_stage[load_stage][i / FEAT];
                float &cell = yrow[i % FEAT];
                if (y0 + i / FEAT < ny && f0_load + i % FEAT < dim)
                    __pipeline_memcpy_async(&cell, &ys[(y0 + i / FEAT) * stride + f0_load + i % FEAT], sizeof(float));
                else
                    cell = 0.f;
            }
            f0_load += FEAT;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int f0 = 0; f0 < dim; f0 += FEAT) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int f = 0; f < FEAT; ++f) {
            float d = tx_stage[stage][threadIdx.y][f] - ty_stage[stage][threadIdx.x][f];
            d2 += d * d;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    if (x0 + threadIdx.y < nx && y0 + threadIdx.x < ny)
        out[(x0 + threadIdx.y) * ny + y0 + threadIdx.x] =
            d2 + seen[threadIdx.x] + (rowBytes - sizeof(ty_stage[0][0]));
}
