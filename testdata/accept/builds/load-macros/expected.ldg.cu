// Distances to every centre of a table; macros around the loads hold the call
// of __ldg, an address operator, a cast and a sum.
#define LOAD(x) __ldg(&(x))
#define LOAD_AT(p, i) __ldg((p) + (i))
#define LOAD_QUAD(p) (__ldg((const float4 *)(p)))
#define DIM 16
#define ROWS 32
// pipelinify: launch centre_distances
//   sizes n=0,32,64,96,128,160
//   target n=32768
//   grid 2
//   block 128
//   x: in [2 * 128 * 16]
//   centres: in [n * 16]
//   weights: in [n]
//   radii: in [n + 32]
//   out: out [256]
//   n: n
__global__ void centre_distances(const float *__restrict__ x,
                                 const float *__restrict__ centres,
                                 const float *__restrict__ weights,
                                 const float *__restrict__ radii,
                                 float *__restrict__ out, int n)
{
    __shared__ float4 c_stage[2][ROWS][DIM / 4];
    __shared__ float w_stage[2][ROWS], r_stage[2][ROWS];
    const int t = threadIdx.x;
    const float *own = x + (blockIdx.x * 128 + t) * DIM;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source dd7fa261
    int row = 0, stage = 0;
    if (row < n) {
        auto compute_tile = [&]() {
            for (int k = 0; k < ROWS; ++k) {
                float d = -r_stage[stage][k];
                for (int q = 0; q < DIM / 4; ++q)
                    d += own[q * 4] * c_stage[stage][k][q].x +
                         own[q * 4 + 1] * c_stage[stage][k][q].y +
                         own[q * 4 + 2] * c_stage[stage][k][q].z +
                         own[q * 4 + 3] * c_stage[stage][k][q].w;
                sum += w_stage[stage][k] * d;
            }
        };
        c_stage[0][t / 4][t % 4] =
            LOAD_QUAD(centres + (row + t / 4) * DIM + t % 4 * 4);
        if (t < ROWS) {
            w_stage[0][t] = LOAD(weights[row + t]);
            r_stage[0][t] = LOAD_AT(radii + 32, row - 32 + t);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (row += ROWS; row < n; row += ROWS) {
            float w_next;
            float r_next;
            float4 c_next =
                LOAD_QUAD(centres + (row + t / 4) * DIM + t % 4 * 4);
            if (t < ROWS) {
                w_next = LOAD(weights[row + t]);
                r_next = LOAD_AT(radii + 32, row - 32 + t);
            }
            compute_tile();
            stage ^= 1;
            c_stage[stage][t / 4][t % 4] = c_next;
            if (t < ROWS) {
                w_stage[stage][t] = w_next;
                r_stage[stage][t] = r_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 128 + t] = sum;
}
