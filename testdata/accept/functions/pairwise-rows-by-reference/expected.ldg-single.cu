// Squared distances between two sets of points: rows of the tiles are filled through references and
// pointers, and every bound is asked of the tiles themselves.
#include <cuda_runtime.h>

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
    __shared__ float tx[PTS][FEAT + 1], ty[PTS][FEAT + 1];
    __shared__ float seen[COUNT_OF(tx)];
    constexpr int rowBytes = sizeof(tx[0]);
    const int lane = threadIdx.y * PTS + threadIdx.x;
    const int x0 = blockIdx.y * PTS, y0 = blockIdx.x * PTS;

    if (lane < (int)COUNT_OF(seen))
        seen[lane] = 0.f;
    __syncthreads();

    float d2 = 0.f;
    // pipelinify: ldg-single, 1 stage, source cc8d0ab4
    int f0 = 0;
    if (f0 < dim) {
        {
            // One row of each tile for sixteen threads.
            float (&xrow)[FEAT + 1] = tx[threadIdx.y];
            const float *src = xs + (x0 + threadIdx.y) * stride + f0;
            for (int f = threadIdx.x; f < FEAT; f += PTS)
                xrow[f] = x0 + threadIdx.y < nx && f0 + f < dim ? src[f] : 0.f;
            for (int i = lane; i < count_of(ty) * FEAT; i += 256) {
                auto &yrow = ty[i / FEAT];
                float &cell = yrow[i % FEAT];
                if (y0 + i / FEAT < ny && f0 + i % FEAT < dim)
                    cell = ys[(y0 + i / FEAT) * stride + f0 + i % FEAT];
                else
                    cell = 0.f;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (f0 += FEAT; f0 < dim; f0 += FEAT) {
            float xrow_next[(FEAT + PTS - 1) / PTS];
            float cell_next[(count_of(ty) * FEAT + 256 - 1) / 256];
            const float *src = xs + (x0 + threadIdx.y) * stride + f0;
            #pragma unroll
            for (int slot = 0; slot < (FEAT + PTS - 1) / PTS; ++slot) {
                int f = threadIdx.x + slot * PTS;
                if (f < FEAT)
                    xrow_next[slot] = x0 + threadIdx.y < nx && f0 + f < dim ? src[f] : 0.f;
            }
            #pragma unroll
            for (int slot = 0; slot < (count_of(ty) * FEAT + 256 - 1) / 256; ++slot) {
                int i = lane + slot * 256;
                if (i < count_of(ty) * FEAT) {
                    if (y0 + i / FEAT < ny && f0 + i % FEAT < dim)
                        cell_next[slot] = ys[(y0 + i / FEAT) * stride + f0 + i % FEAT];
                    else
                        cell_next[slot] = 0.f;
                }
            }

            for (int f = 0; f < FEAT; ++f) {
                float d = tx[threadIdx.y][f] - ty[threadIdx.x][f];
                d2 += d * d;
            }
            __syncthreads();
            {
                // One row of each tile for sixteen threads.
                float (&xrow)[FEAT + 1] = tx[threadIdx.y];
                #pragma unroll
                for (int slot = 0; slot < (FEAT + PTS - 1) / PTS; ++slot) {
                    int f = threadIdx.x + slot * PTS;
                    if (f < FEAT)
                        xrow[f] = xrow_next[slot];
                }
                #pragma unroll
                for (int slot = 0; slot < (count_of(ty) * FEAT + 256 - 1) / 256; ++slot) {
                    int i = lane + slot * 256;
                    if (i < count_of(ty) * FEAT) {
                        auto &yrow = ty[i / FEAT];
                        float &cell = yrow[i % FEAT];
                        cell = cell_next[slot];
                    }
                }
            }
            __syncthreads();
        }
        for (int f = 0; f < FEAT; ++f) {
            float d = tx[threadIdx.y][f] - ty[threadIdx.x][f];
            d2 += d * d;
        }
        __syncthreads();
    }
    if (x0 + threadIdx.y < nx && y0 + threadIdx.x < ny)
        out[(x0 + threadIdx.y) * ny + y0 + threadIdx.x] =
            d2 + seen[threadIdx.x] + (rowBytes - sizeof(ty[0]));
}
