#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
// Two passes over a row, each with a pipeline of its own; a warp's tile reduces.
namespace cg = cooperative_groups;
__global__ void softmax(const float *in, float *out, int n)
{
    __shared__ float s[2][64];
    __shared__ float part[2];
    auto tb = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(tb);
    const int i = tb.thread_rank(), tiles = n / 64;
    float m = -1e30f, sum = 0;
    for (int pass = 0; pass < 2; ++pass) {
        if (tiles > 0) cg::memcpy_async(tb, s[0], in, sizeof(s[0]));
        for (int t = 0; t < tiles; ++t) {
            if (t + 1 < tiles) {
                cg::memcpy_async(tb, s[(t + 1) & 1], in + (t + 1) * 64, sizeof(s[0]));
                cg::wait_prior<1>(tb);
            } else
                cg::wait(tb);
            float v = s[t & 1][i];
            if (pass == 0) m = fmaxf(m, v);
            else sum += expf(v - m);
            tb.sync();
        }
        float r = pass == 0 ? cg::reduce(warp, m, cg::greater<float>()) : cg::reduce(warp, sum, cg::plus<float>());
        if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = r;
        tb.sync();
        if (pass == 0) m = fmaxf(part[0], part[1]);
        else sum = part[0] + part[1];
        tb.sync();
    }
    out[i] = sum + m;
}
int main() { float *i, *o; int n = 640; cudaMalloc(&i, n * 4); cudaMalloc(&o, 256); softmax<<<1, 64>>>(i, o, n); }
