// What is done for a tile that is passed over, in ways that the other tiles do not share.
#define SPAN 64

// The sum fades where a block is passed over, too: more than a step to the next one.
__global__ void fading(const float *__restrict__ values, const int *__restrict__ wanted,
                       float *__restrict__ out, int tiles)
{
    __shared__ float span[SPAN];
    float sum = 0.0f, weight = 1.0f;
    int t = 0;
    while (t < tiles) {
        if (!wanted[t]) {
            ++t;
            weight *= 0.5f;
            continue;
        }
        span[threadIdx.x] = values[t * SPAN + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SPAN; ++j)
            sum += span[j] * weight;
        __syncthreads();
        ++t;
        weight *= 0.5f;
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// Blocks that are passed over are counted.
__global__ void counting(const float *__restrict__ values, const int *__restrict__ wanted,
                         float *__restrict__ out, int tiles)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int t = 0, passed = 0;
    while (t < tiles) {
        if (!wanted[t]) {
            ++passed;
            ++t;
            continue;
        }
        span[threadIdx.x] = values[t * SPAN + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SPAN; ++j)
            sum += span[j] * passed;
        __syncthreads();
        ++t;
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// Each thread asks for itself.
__global__ void apart(const float *__restrict__ values, const int *__restrict__ wanted,
                      float *__restrict__ out, int tiles)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int t = 0;
    while (t < tiles) {
        if (!wanted[t + threadIdx.x]) {
            ++t;
            continue;
        }
        span[threadIdx.x] = values[t * SPAN + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SPAN; ++j)
            sum += span[j];
        __syncthreads();
        ++t;
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// The steps have the same text, but the last one is of another variable.
__global__ void namesakes(const float *__restrict__ values, const int *__restrict__ wanted,
                          float *__restrict__ out, int tiles)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int t = 0;
    while (t < tiles) {
        if (!wanted[t]) {
            ++t;
            continue;
        }
        int at = t++;
        span[threadIdx.x] = values[at * SPAN + threadIdx.x];
        __syncthreads();
        int t = threadIdx.x;
        for (int j = 0; j < SPAN; ++j)
            sum += span[j] * t;
        __syncthreads();
        ++t;
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// The flags that are asked behind the barrier are set by compute.
__global__ void flags_of_compute(const float *__restrict__ values, float *__restrict__ out, int tiles)
{
    __shared__ float span[SPAN];
    __shared__ int done[SPAN];
    done[threadIdx.x] = 0;
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        __syncthreads();
        if (done[t % SPAN])
            continue;
        span[threadIdx.x] = values[t * SPAN + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SPAN; ++j)
            sum += span[j];
        if (sum > 8.0f)
            done[threadIdx.x] = 1;
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// Where half of the threads come by, no barrier may be added, not even for no tile.
__global__ void halves(const float *__restrict__ values, const int *__restrict__ wanted,
                       float *__restrict__ out, int tiles)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    if (threadIdx.x < tiles) {
        for (int t = 0; t < tiles; ++t) {
            __syncthreads();
            if (!wanted[t])
                continue;
            span[threadIdx.x] = values[t * SPAN + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < SPAN; ++j)
                sum += span[j];
        }
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
