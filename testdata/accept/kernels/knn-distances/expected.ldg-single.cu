// Squared distances of every query to every reference point, accumulated over tiles of coordinates (dimension-major points).

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

    __shared__ float shared_R[BLOCK_DIM][BLOCK_DIM];
    __shared__ float shared_Q[BLOCK_DIM][BLOCK_DIM];

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

    // pipelinify: ldg-single, 1 stage, source 8b18d43c
    int a = begin_R, b = begin_Q;
    if (a < end_R) {
        auto compute_tile = [&]() {
            if (cond1 && cond2) {
                for (int k = 0; k < BLOCK_DIM; ++k) {
                    float tmp = shared_R[k][ty] - shared_Q[k][tx];
                    ssd += tmp * tmp;
                }
            }
        };
        if ((a - begin_R) / ref_pitch + ty < height) {
            shared_R[ty][tx] = (cond0) ? ref[a + ref_pitch * ty + tx] : 0;
            shared_Q[ty][tx] = (cond1) ? query[b + query_pitch * ty + tx] : 0;
        }
        else {
            shared_R[ty][tx] = 0;
            shared_Q[ty][tx] = 0;
        }
        a += step_R, b += step_Q;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; a < end_R; a += step_R, b += step_Q) {
            float shared_R_next;
            float shared_Q_next;
            if ((a - begin_R) / ref_pitch + ty < height) {
                shared_R_next = (cond0) ? ref[a + ref_pitch * ty + tx] : 0;
                shared_Q_next = (cond1) ? query[b + query_pitch * ty + tx] : 0;
            }
            compute_tile();
            __syncthreads();
            if ((a - begin_R) / ref_pitch + ty < height) {
                shared_R[ty][tx] = shared_R_next;
                shared_Q[ty][tx] = shared_Q_next;
            } else {
                shared_R[ty][tx] = 0;
                shared_Q[ty][tx] = 0;
            }
            __syncthreads();
        }
        compute_tile();
    }

    if (cond1 && cond2)
        dist[(begin_R + ty) * query_pitch + begin_Q + tx] = ssd;
}
