// Of each #if some branch is compiled, here or in another build: it would come apart where statements move.
#define T 64

__global__ void other_branch(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
#if 0
        s[threadIdx.x] = __ldg(&x[k + threadIdx.x]);
#else
        s[threadIdx.x] = x[k + threadIdx.x];
#endif
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void always(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
#if 1
        for (int j = 0; j < T; ++j)
            sum += s[j];
#endif
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void not_quite_zero(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
#if 0 || defined(CHECKED)
        __syncthreads();
        s[threadIdx.x] *= 2.0f;
#endif
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void else_of_a_group(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
#if 0
        sum += 1.0f;
#elif !defined(SHORT)
        sum += s[0];
#endif
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
