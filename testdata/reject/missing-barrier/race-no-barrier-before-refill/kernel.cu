#define BSZ 16

// The barrier behind the compute loop was removed "because it is slow".
template <typename real>
__global__ void mm_racy(int n, const real *__restrict__ a, const real *__restrict__ b,
                        real *__restrict__ c)
{
    __shared__ real ta[BSZ][BSZ];
    __shared__ real tb[BSZ][BSZ];
    const int i = threadIdx.y, j = threadIdx.x;
    const int gi = blockIdx.y * BSZ + i, gj = blockIdx.x * BSZ + j;
    real sum = 0;
    for (int m = 0; m < n; m += BSZ) {
        ta[i][j] = a[gi * n + m + j];
        tb[i][j] = b[(m + i) * n + gj];
        __syncthreads();
        for (int k = 0; k < BSZ; k++)
            sum += ta[i][k] * tb[k][j];
    }
    c[gi * n + gj] = sum;
}

template __global__ void mm_racy<float>(int, const float *, const float *, float *);
