// One barrier a tile, but the next tile is stored ahead of it into the buffer that was
// read a moment ago.
__global__ void ahead(const double *in, double *out, int n)
{
    __shared__ double s[2][48];
    const int i = threadIdx.x;
    double acc = 0;
    for (int k = 0; k <= n; ++k) {
        if (k < n) s[k & 1][i] = in[k * 48 + i];
        if (k > 0) acc += s[(k - 1) & 1][47 - i];
        if (k == 0 || (k & 1)) __syncthreads();
    }
    out[i] = acc;
}
void run(const double *i, double *o, int n) { ahead<<<1, 48>>>(i, o, n); }
