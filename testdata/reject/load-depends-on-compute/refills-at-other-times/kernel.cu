// A tile that is filled under a branch of the counter, and not just where one is used up.
#define T 32

// The first one may be filled in the middle.
__global__ void from_anywhere(const float *__restrict__ x, float *__restrict__ y, int from, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    s[threadIdx.x] = 0.f;
    for (int j = from; j < n; ++j) {
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * (threadIdx.x ^ j);
    }
    y[threadIdx.x] = sum;
}

// The loop ends where an element says so.
__global__ void to_a_mark(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int j = 0; j < n; ++j) {
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        if (s[j % T] < 0.f)
            break;
        sum += s[j % T] * (threadIdx.x ^ j);
    }
    y[threadIdx.x] = sum;
}

// Elements are taken two at a time where they say so.
__global__ void by_twos(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int j = 0; j < n; ++j) {
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * (threadIdx.x ^ j);
        if (s[j % T] < 0.f)
            ++j;
    }
    y[threadIdx.x] = sum;
}

// More is done for each element ahead of the fill.
__global__ void counted(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int j = 0; j < n; ++j) {
        sum *= 0.5f;
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * (threadIdx.x ^ j);
    }
    y[threadIdx.x] = sum;
}

// A byte counts the elements of a tile, and begins again in its middle too.
__global__ void counted_in_a_byte(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    s[threadIdx.x] = 0.f;
    for (int j = 0; j < n; ++j) {
        const unsigned char k = j % 320;
        if (k == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[k % T] * (threadIdx.x ^ j);
    }
    y[threadIdx.x] = sum;
}

// The row that is filled is declared ahead of the branch, which asks for something else.
__global__ void row_by_row(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int j = 0; j < n; ++j) {
        const int row = j / T;
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[(row * 3) * T + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * row;
    }
    y[threadIdx.x] = sum;
}

// A macro says where in its row an element is, of a name that means something else ahead of the loop.
#define PLACE(j) ((j) % T)
__global__ void places_by_a_macro(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    int j = n / 2;
    float sum = j;
    for (int j = 0; j < n; ++j) {
        const int k = PLACE(j);
        if (k == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[k] * (threadIdx.x + 1);
    }
    y[threadIdx.x] = sum;
}

// Another build fades what came before; here the macro is empty, and stands in no statement.
#ifdef FADES
#define FADED(x) x *= 0.5f;
#else
#define FADED(x)
#endif
__global__ void faded_in_a_build(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int j = 0; j < n; ++j) {
        FADED(sum)
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * (threadIdx.x + 1);
    }
    y[threadIdx.x] = sum;
}
