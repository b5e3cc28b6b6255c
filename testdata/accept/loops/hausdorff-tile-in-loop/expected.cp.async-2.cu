// Directed Hausdorff distance: the tile is declared inside of the loop, the maximum goes out by an integer atomicMax.
#include <cuda_runtime.h>
#include <cfloat>
#include <cuda_pipeline.h>

constexpr int THREADS = 128;

// pipelinify: launch directed_hausdorff
//   sizes    na=128 nb=0,1,127,128,129,256,384,512,640
//   sizes    na=100 nb=300
//   sizes    na=1,2,3 nb=640,1152
//   target   na=262144 nb=65536
//   requires na > 0
//   grid     (na + 127) / 128
//   block    128
//   a:       in [na] random
//   b:       in [nb] random
//   na:      na
//   nb:      nb
//   result:  inout [1] const(0)
__global__ void directed_hausdorff(const double2 *a, const double2 *b, int na, int nb, unsigned *result) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    double2 p = a[min(i, na - 1)];
    double nearest = DBL_MAX;

    // pipelinify: cp.async, 2 stages, source 0fbaed53
    {
        __shared__ double2 pts_stage[2][THREADS];
        int tile_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (tile_load * THREADS < nb) {
                // repeat the last point instead of a guard
                __pipeline_memcpy_async(&pts_stage[load_stage][threadIdx.x],
                                        &b[min(tile_load * THREADS + (int)threadIdx.x, nb - 1)], sizeof(double2));
                tile_load++;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int tile = 0; tile * THREADS < nb; tile++) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int k = 0; k < THREADS; k++) {
                double dx = pts_stage[stage][k].x - p.x, dy = pts_stage[stage][k].y - p.y;
                nearest = fmin(nearest, dx * dx + dy * dy);
            }
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }

    // nonnegative floats compare as their bits do
    atomicMax(result, __float_as_uint((float)sqrt(nearest)));
}
