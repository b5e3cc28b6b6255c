// Tiles whose cells are a value or else what is loaded, by GNU's conditional without a middle
// operand; x ends where the last row does, so that nothing may be loaded beyond.
#define T 64

// pipelinify: launch filled
//   sizes n=0,1,50,63,64,65,128,190,321
//   grid  2
//   block 64
//   target n=4194304
//   x:     in  [n] random
//   y:     out [128]
//   n:     n
__global__ void __launch_bounds__(64)
filled(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source cba8bf41
    int first = 0, stage = 0;
    if (first < n) {
        {
            const int i = first + threadIdx.x;
            s_stage[0][threadIdx.x] = 1.f + (float)((i >= n) ?: (int)(64.f * x[i]));
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += T; first < n; first += T) {
            const int i = first + threadIdx.x;
            float s_next = 1.f + (float)((i >= n) ?: (int)(64.f * x[i]));
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j];
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j];
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

// What only the size is asked of is not loaded.
// pipelinify: launch sized
//   sizes n=0,1,2,3,5
//   grid  2
//   block 64
//   target n=65536
//   x:     in  [n * 64] random
//   y:     out [128]
//   n:     n
__global__ void __launch_bounds__(64)
sized(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 246c3af3
    int t = 0, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x] = x[t * T + threadIdx.x] * sizeof(x[n * T]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[t * T + threadIdx.x] * sizeof(x[n * T]);
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j];
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j];
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
