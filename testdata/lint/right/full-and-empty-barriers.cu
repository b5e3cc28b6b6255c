#include <cuda/barrier>
// Producer and consumer warps with a full and an empty barrier a stage.
using bar = cuda::barrier<cuda::thread_scope_block>;
__global__ void roles(const float *in, float *out, int tiles)
{
    __shared__ float s[2][64];
    __shared__ bar full[2], empty[2];
    const int t = threadIdx.x;
    if (t == 0)
        for (int i = 0; i < 2; ++i) {
            init(&full[i], 128);
            init(&empty[i], 128);
        }
    __syncthreads();
    if (t < 64) {
        for (int k = 0; k < tiles; ++k) {
            empty[k & 1].arrive_and_wait();
            s[k & 1][t] = in[k * 64 + t];
            (void)full[k & 1].arrive();
        }
    } else {
        (void)empty[0].arrive();
        (void)empty[1].arrive();
        float acc = 0;
        for (int k = 0; k < tiles; ++k) {
            full[k & 1].arrive_and_wait();
            acc += s[k & 1][127 - t];
            (void)empty[k & 1].arrive();
        }
        out[t - 64] = acc;
    }
}
void run(const float *i, float *o, int n) { roles<<<1, 128>>>(i, o, n); }
