// A hand-written loop of goto and label inside the compute part; text with a label cannot be there twice.
__global__ void gap_products(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[128];
    float p = 1.0f;
    for (int i = 0; i < n; i += 128) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        int k = 0;
    next:
        p *= 1.0f + tile[k];
        if ((k += 3) < 128)
            goto next;
        __syncthreads();
    }
    y[threadIdx.x] = p;
}
