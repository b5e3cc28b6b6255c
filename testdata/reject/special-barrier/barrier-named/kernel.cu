// Two halves of the block work on tiles of their own, each behind a named
// barrier of 128 threads.
__device__ __forceinline__ void half_block_sync(int id)
{
    asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
}

__global__ void __launch_bounds__(256)
two_team_dot(const float *__restrict__ a, const float *__restrict__ b,
             float *__restrict__ out, int k)
{
    __shared__ float sa[2][128];
    __shared__ float sb[2][128];
    const int team = threadIdx.x / 128;
    const int t = threadIdx.x % 128;
    float d = 0.f;
    for (int i = 0; i < k; i += 128) {
        sa[team][t] = a[(blockIdx.x * 2 + team) * k + i + t];
        sb[team][t] = b[i + t];
        half_block_sync(team + 1);
        for (int j = 0; j < 128; j += 2)
            d += sa[team][j] * sb[team][(j + t) & 127];
        half_block_sync(team + 1);
    }
    out[blockIdx.x * 256 + threadIdx.x] = d;
}
