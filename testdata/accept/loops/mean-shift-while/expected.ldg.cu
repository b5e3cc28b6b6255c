// Mean shift: a flat-kernel step over all points, tiles walked by a while loop with a hand-kept offset.
struct Params { float bandwidth2; };   // host side

// pipelinify: launch mean_shift_step
//   sizes  n=1,31,64,65,128,190,256,320,448
//   target n=131072
//   grid   (n + 63) / 64
//   block  64
//   px:    in  [n] random
//   py:    in  [n] random
//   shifted_x: out [n]
//   shifted_y: out [n]
//   bw2:   0.3
//   n:     n
__global__ void mean_shift_step(const float *px, const float *py,
                                float *shifted_x, float *shifted_y,
                                float bw2, int n)
{
    __shared__ float tx_stage[2][64], ty_stage[2][64];

    int   gid = blockIdx.x * 64 + threadIdx.x;
    float x = 0, y = 0;
    if (gid < n) { x = px[gid]; y = py[gid]; }

    float sx = 0, sy = 0;
    int   hits = 0;

    int done = 0;
    // pipelinify: ldg, 2 stages, source 108dabee
    int done_tile = done, stage = 0;
    if (done < n) {
        auto compute_tile = [&]() {
            int m = min(64, n - done_tile);
            for (int k = 0; k < m; k++) {
                float ex = tx_stage[stage][k] - x, ey = ty_stage[stage][k] - y;
                if (ex * ex + ey * ey <= bw2) { sx += tx_stage[stage][k]; sy += ty_stage[stage][k]; hits++; }
            }
            done_tile += 64;
        };
        if (done + threadIdx.x < n) {
            tx_stage[0][threadIdx.x] = px[done + threadIdx.x];
            ty_stage[0][threadIdx.x] = py[done + threadIdx.x];
        }
        done += 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (done < n) {
            float tx_next;
            float ty_next;
            if (done + threadIdx.x < n) {
                tx_next = px[done + threadIdx.x];
                ty_next = py[done + threadIdx.x];
            }
            compute_tile();
            stage ^= 1;
            if (done + threadIdx.x < n) {
                tx_stage[stage][threadIdx.x] = tx_next;
                ty_stage[stage][threadIdx.x] = ty_next;
            }
            done += 64;
            __syncthreads();
        }
        compute_tile();
    }

    if (gid < n) {
        shifted_x[gid] = hits ? sx / hits : x;
        shifted_y[gid] = hits ? sy / hits : y;
    }
}
