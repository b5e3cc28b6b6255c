// Directed Hausdorff distance: the tile is declared inside of the loop, the maximum goes out by an integer atomicMax.
#include <cuda_runtime.h>
#include <cfloat>
#include <cooperative_groups.h>
#include <cuda/pipeline>

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

    // pipelinify: pipeline-block, 3 stages, source 0fbaed53
    {
        __shared__ double2 pts_stage[3][THREADS];
        #pragma nv_diagnostic push
        #pragma nv_diag_suppress static_var_with_dynamic_init
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> pipe_state;
        #pragma nv_diagnostic pop
        auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
        int tile_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            pipe.producer_acquire();
            if (tile_load * THREADS < nb) {
                // repeat the last point instead of a guard
                cuda::memcpy_async(&pts_stage[load_stage][threadIdx.x],
                                   &b[min(tile_load * THREADS + (int)threadIdx.x, nb - 1)],
                                   cuda::aligned_size_t<sizeof(double2)>(sizeof(double2)), pipe);
                tile_load++;
            }
            pipe.producer_commit();
        };
        for (int load_stage = 0; load_stage < 2; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 2 tiles are in flight while computing on one.
        for (int tile = 0; tile * THREADS < nb; tile++) {
            copy_tile(stage == 0 ? 2 : stage - 1);
            pipe.consumer_wait();
            for (int k = 0; k < THREADS; k++) {
                double dx = pts_stage[stage][k].x - p.x, dy = pts_stage[stage][k].y - p.y;
                nearest = fmin(nearest, dx * dx + dy * dy);
            }
            pipe.consumer_release();
            stage = stage == 2 ? 0 : stage + 1;
        }
        for (int load_stage = 0; load_stage < 2; ++load_stage) {
            pipe.consumer_wait();
            pipe.consumer_release();
        }
    }

    // nonnegative floats compare as their bits do
    atomicMax(result, __float_as_uint((float)sqrt(nearest)));
}
