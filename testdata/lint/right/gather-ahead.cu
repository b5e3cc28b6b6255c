// Rows are gathered: indices two tiles ahead in registers, rows one ahead in shared memory.
__global__ void __launch_bounds__(128) gather(const int *idx, const float4 *table, float4 *out, int n)
{
    __shared__ float4 rows[2][128];
    const int t = threadIdx.x;
    int i1 = n > 0 ? idx[t] : 0;
    float4 v = n > 0 ? table[(size_t)i1 * 4 + (t & 3)] : make_float4(0, 0, 0, 0);
    int i2 = n > 1 ? idx[128 + t] : 0;
    rows[0][t] = v;
    __syncthreads();
    float4 acc = make_float4(0, 0, 0, 0);
    for (int k = 0; k < n; ++k) {
        const bool more = k + 1 < n;
        float4 next;
        if (more)
            next = table[(size_t)i2 * 4 + (t & 3)];
        if (k + 2 < n)
            i2 = idx[(k + 2) * 128 + t];
        const float4 r = rows[k & 1][127 - t];
        acc.x += r.x; acc.y += r.y; acc.z += r.z; acc.w += r.w;
        if (more)
            rows[(k + 1) & 1][t] = next;
        __syncthreads();
    }
    out[t] = acc;
}
