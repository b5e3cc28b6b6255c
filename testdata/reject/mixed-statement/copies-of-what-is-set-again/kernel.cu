// A lambda that fills the tile has a copy of a variable that is another one when the loop runs.
#define T 64
__global__ void moved_by_lambda(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[2 * T];
    float sum = 0.f;
    int off = 0;
    auto put = [=](int i) { s[off + threadIdx.x] = x[i + threadIdx.x]; };
    auto move = [&] { off = T; };
    move();
    for (int i = 0; i < n; i += T) {
        put(i);
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += s[off + q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void moved_by_pointer(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[2 * T];
    float sum = 0.f;
    int off = 0;
    int *p = &off;
    auto put = [=](int i) { s[off + threadIdx.x] = x[i + threadIdx.x]; };
    *p = T;
    for (int i = 0; i < n; i += T) {
        put(i);
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += s[off + q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// An array is copied, cell by cell.
__global__ void array_copied(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f, w[2] = {1.f, 2.f};
    auto put = [=](int i) { s[threadIdx.x] = w[i & 1] * x[i + threadIdx.x]; };
    w[0] = 3.f;
    for (int i = 0; i < n; i += T) {
        put(i);
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += s[q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Its own number changes from call to call.
__global__ void counts_itself(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    auto scaled = [h = 0](float v) mutable { return v + h++; };
    for (int i = 0; i < n; i += T) {
        s[threadIdx.x] = scaled(x[i + threadIdx.x]);
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += scaled(s[q]) * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// What the loads add is what compute had come to when the lambda was made.
__global__ void copies_the_sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int i = 0; i < n; i += T) {
        auto scaled = [h = sum](float v) { return v + h; };
        s[threadIdx.x] = scaled(x[i + threadIdx.x]);
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += s[q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A pointer that a lambda keeps may lead to what the loads read.
__global__ void stores_by_a_copy(const float *x, float *y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    auto put = [to = y + threadIdx.x](int i, float v) { to[i] = v; };
    for (int i = 0; i < n; i += T) {
        s[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += s[q] * q;
        put(i, sum);
        __syncthreads();
    }
}

// The copy is made in each iteration, of what compute stores.
__global__ void copies_what_is_stored(const float *__restrict__ x, float *y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int i = 0; i < n; i += T) {
        auto scaled = [h = y[i]](float v) { return v + h; };
        s[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < T; ++q) sum += scaled(s[q]) * q;
        y[i + threadIdx.x + 1] = sum;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
