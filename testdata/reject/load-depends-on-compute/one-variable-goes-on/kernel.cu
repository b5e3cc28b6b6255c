// One variable for the loads and for compute, whose value goes from one to the other.
#define T 32
#define LOADV v = a[k + threadIdx.x];

// Compute reads what was loaded.
__global__ void used_by_compute(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        v = a[k + threadIdx.x];
        s[threadIdx.x] = v;
        __syncthreads();
        sum += v;
        v = s[(threadIdx.x + 1) % T];
        sum += v * 2;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// Behind the loop v holds what was loaded, or what compute took.
__global__ void set_on_one_path(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        v = a[k + threadIdx.x];
        s[threadIdx.x] = v;
        __syncthreads();
        if (sum > 1) {
            v = s[(threadIdx.x + 1) % T];
            sum += v * 2;
        }
        sum += 1;
        __syncthreads();
    }
    o[threadIdx.x] = sum + v;
}

// A thread that loads nothing stores what compute left.
__global__ void loaded_on_one_path(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        if (k + threadIdx.x < n)
            v = a[k + threadIdx.x];
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T];
        sum += v * 2;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// What compute left is added to what is loaded.
__global__ void loaded_beside_old(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        v = v + a[k + threadIdx.x];
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T];
        sum += v * 2;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// A macro sets it, under a name that is not in the text.
__global__ void set_by_macro(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        LOADV
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T];
        sum += v * 2;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// The step of a loop that passes over the setting reads what was loaded.
__global__ void step_reads_loaded(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        v = a[k + threadIdx.x];
        s[threadIdx.x] = v;
        __syncthreads();
        for (int j = 0; j < T; j += v > 3 ? 1 : 2) {
            if (sum > 5)
                continue;
            v = s[j];
            sum += v;
        }
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// The next tile's loads come behind a use of what compute left.
__global__ void read_in_next_tile(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int k = 0; k < n; k += T) {
        sum += v;
        v = a[k + threadIdx.x];
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T];
        sum += v * 2;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// The round before may have left what was loaded.
__global__ void read_in_next_round(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[T];
    float v = 7, sum = 0;
    for (int q = 0; q < 3; q++) {
        sum += v;
        for (int k = 0; k < n; k += T) {
            v = a[k + threadIdx.x];
            s[threadIdx.x] = v;
            __syncthreads();
            if (sum > 1) {
                v = s[(threadIdx.x + 1) % T];
                sum += v * 2;
            }
            sum += 1;
            __syncthreads();
        }
    }
    o[threadIdx.x] = sum;
}
