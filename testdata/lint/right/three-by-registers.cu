// Three buffers through registers; the slots go round with a comparison.
struct Args { const float *in; float *out; int tiles; float scale; };
__global__ void three(Args a)
{
    __shared__ float s[3][96];
    const int t = threadIdx.x;
    int rd = 0, wr = 2;
    if (a.tiles > 0) s[0][t] = a.in[t];
    if (a.tiles > 1) s[1][t] = a.in[96 + t];
    float acc = 0;
    for (int k = 0; k < a.tiles; ++k) {
        float reg = 0;
        if (k + 2 < a.tiles) reg = a.in[(k + 2) * 96 + t] * a.scale;
        __syncthreads();
        acc += s[rd][95 - t];
        if (k + 2 < a.tiles) s[wr][t] = reg;
        rd = rd + 1 == 3 ? 0 : rd + 1;
        wr = wr + 1 == 3 ? 0 : wr + 1;
    }
    a.out[t] = acc;
}
void run(const float *i, float *o, int n) { Args a = {i, o, n, 2.f}; three<<<1, 96>>>(a); }
