// One thread folds a column.
__global__ void columns(const int *m, int *out, int n, int w)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= w)
        return;
    int acc = 7;
    for (int i = 0; i < n; ++i)
        acc = acc * 3 + m[i * w + c];
    out[c] = acc;
}
int main()
{
    int n = 40, w = 192, *m, *o;
    cudaMalloc(&m, n * w * sizeof(int));
    cudaMalloc(&o, w * sizeof(int));
    columns<<<(w + 31) / 32, 32>>>(m, o, n, w);
}
