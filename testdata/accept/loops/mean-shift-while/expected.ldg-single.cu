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
    __shared__ float tx[64], ty[64];

    int   gid = blockIdx.x * 64 + threadIdx.x;
    float x = 0, y = 0;
    if (gid < n) { x = px[gid]; y = py[gid]; }

    float sx = 0, sy = 0;
    int   hits = 0;

    int done = 0;
    // pipelinify: ldg-single, 1 stage, source 108dabee
    int done_tile = done;
    if (done < n) {
        auto compute_tile = [&]() {
            int m = min(64, n - done_tile);
            for (int k = 0; k < m; k++) {
                float ex = tx[k] - x, ey = ty[k] - y;
                if (ex * ex + ey * ey <= bw2) { sx += tx[k]; sy += ty[k]; hits++; }
            }
            done_tile += 64;
        };
        if (done + threadIdx.x < n) {
            tx[threadIdx.x] = px[done + threadIdx.x];
            ty[threadIdx.x] = py[done + threadIdx.x];
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
            __syncthreads();
            if (done + threadIdx.x < n) {
                tx[threadIdx.x] = tx_next;
                ty[threadIdx.x] = ty_next;
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
