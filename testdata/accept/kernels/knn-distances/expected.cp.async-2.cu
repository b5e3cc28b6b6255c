// Squared distances of every query to every reference point, accumulated over tiles of coordinates (dimension-major points).

#include <cuda_pipeline.h>

#define BLOCK_DIM 16

/**
  * Each block computes a BLOCK_DIM x BLOCK_DIM piece of the distance matrix.
  * Points are stored one coordinate after the other: ref[d * ref_pitch + i].
  *
  */
// pipelinify: launch compute_distances
//   sizes  nr=16 nq=16 dim=0,1,15,16,17,32,48,64,65,80
//   sizes  nr=37 nq=20 dim=40
//   target nr=4096 nq=4096 dim=512
//   let    rp = nr + 5
//   let    qp = nq + 2
//   grid   (nq + 15) / 16, (nr + 15) / 16
//   block  16, 16
//   ref:   in [dim * rp] random
//   ref_width: nr
//   ref_pitch: rp
//   query: in [dim * qp] random
//   query_width: nq
//   query_pitch: qp
//   height: dim
//   dist:  out [nr * qp]
//   work   flops 3 * nr * nq * dim
__global__ void compute_distances(float * ref,
                                  int     ref_width,
                                  int     ref_pitch,
                                  float * query,
                                  int     query_width,
                                  int     query_pitch,
                                  int     height,
                                  float * dist) {

    __shared__ float shared_R_stage[2][BLOCK_DIM][BLOCK_DIM];
    __shared__ float shared_Q_stage[2][BLOCK_DIM][BLOCK_DIM];

    int tx = threadIdx.x;
    int ty = threadIdx.y;

    // First column of this block in each matrix
    int begin_R = BLOCK_DIM * blockIdx.y;
    int begin_Q = BLOCK_DIM * blockIdx.x;
    int step_R  = BLOCK_DIM * ref_pitch;
    int step_Q  = BLOCK_DIM * query_pitch;
    int end_R   = begin_R + height * ref_pitch;

    int cond0 = (begin_R + tx < ref_width);   // loads of the reference
    int cond1 = (begin_Q + tx < query_width); // loads of the queries, and the result
    int cond2 = (begin_R + ty < ref_width);   // the result

    float ssd = 0.f;

    // pipelinify: cp.async, 2 stages, source 8b18d43c
    int a_load = begin_R, b_load = begin_Q, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (a_load < end_R) {
            if ((a_load - begin_R) / ref_pitch + ty < height) {
                __pipeline_memcpy_async(&shared_R_stage[load_stage][ty][tx], &ref[a_load + ref_pitch * ty + tx],
                                        sizeof(float), (cond0) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&shared_Q_stage[load_stage][ty][tx], &query[b_load + query_pitch * ty + tx],
                                        sizeof(float), (cond1) ? 0 : sizeof(float));
            } else {
                shared_R_stage[load_stage][ty][tx] = 0;
                shared_Q_stage[load_stage][ty][tx] = 0;
            }
            a_load += step_R, b_load += step_Q;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int a = begin_R, b = begin_Q; a < end_R; a += step_R, b += step_Q) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        if (cond1 && cond2) {
            for (int k = 0; k < BLOCK_DIM; ++k) {
                float tmp = shared_R_stage[stage][k][ty] - shared_Q_stage[stage][k][tx];
                ssd += tmp * tmp;
            }
        }

        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (cond1 && cond2)
        dist[(begin_R + ty) * query_pitch + begin_Q + tx] = ssd;
}
