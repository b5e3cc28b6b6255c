// The tile's address is kept for later tiles, by a function that others call, seven
// calls deep: which stage it is of changes with each.
__device__ const float *kept[64];
__device__ void s6(const float *p) { kept[threadIdx.x] = p; }
__device__ void s5(const float *p) { s6(p); }
__device__ void s4(const float *p) { s5(p); }
__device__ void s3(const float *p) { s4(p); }
__device__ void s2(const float *p) { s3(p); }
__device__ void s1(const float *p) { s2(p); }
__device__ void s0(const float *p) { s1(p); }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        if (k == 0) s0(tile);
        sum += kept[threadIdx.x][5];
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
void go(float *x, float *y) { k<<<1, 64>>>(x, y, 3); }
