// Tiles that are a block of dynamic shared memory, with launches that cannot all be
// edited, or blocks that hold more than tiles.
#include <cuda_runtime.h>
#define CHECK(call) (void)(call)

// The run decides the bytes, and the host allows more than 48 KiB of them.
__global__ void limited(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_limited(const float *a, float *out, int n, int bytes)
{
    cudaFuncSetAttribute(limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    limited<<<4, 64, bytes>>>(a, out, n);
}

// A function says the bytes, which may not be asked twice.
int next_size();

__global__ void by_result(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_by_result(const float *a, float *out, int n)
{
    by_result<<<4, 64, next_size()>>>(a, out, n);
}

// The launch itself changes them.
__global__ void by_step(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_by_step(const float *a, float *out, int n)
{
    for (int bytes = 256; bytes < n;)
        by_step<<<4, 64, bytes += 256>>>(a, out, n);
}

// The run decides the bytes, where nothing can be put in front of the launch.
__global__ void in_branch(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_in_branch(const float *a, float *out, int n, int bytes)
{
    CHECK((in_branch<<<4, 64, bytes>>>(a, out, n)));
}

// One of the launches gives none.
__global__ void not_given(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_not_given(const float *a, float *out, int n)
{
    not_given<<<4, 64, 256>>>(a, out, n);
    not_given<<<4, 64>>>(a, out, 0);
}

// One of the launches says that it gives none.
__global__ void none_given(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_none_given(const float *a, float *out, int n)
{
    none_given<<<4, 64, 256>>>(a, out, n);
    none_given<<<4, 64, 0>>>(a, out, 0);
}

// Another name of the kernel may launch it.
__global__ void by_address(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_by_address(const float *a, float *out, int n)
{
    auto kernel = by_address;
    auto second = kernel;
    by_address<<<4, 64, 256>>>(a, out, n);
    second<<<4, 64, 512>>>(a, out, n);
}

// A macro launches what it is given.
#define LAUNCH(kernel, ...) kernel<<<4, 64, 256>>>(__VA_ARGS__)

__global__ void by_macro(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_by_macro(const float *a, float *out, int n)
{
    LAUNCH(by_macro, a, out, n);
}

// A macro names the kernel.
#define LAUNCH_IT(...) in_macro<<<4, 64, 512>>>(__VA_ARGS__)

__global__ void in_macro(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_in_macro(const float *a, float *out, int n)
{
    in_macro<<<4, 64, 256>>>(a, out, n);
    LAUNCH_IT(a, out, n);
}

// Another build launches it with more.
__global__ void left_out(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_left_out(const float *a, float *out, int n)
{
#ifdef LARGE
    left_out<<<4, 128, 512>>>(a, out, n);
#else
    left_out<<<4, 64, 256>>>(a, out, n);
#endif
}

// Its address is kept.
__global__ void by_handle(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_by_handle(const float *a, float *out, int n)
{
    void *arguments[] = {&a, &out, &n};
    const void *handle = (const void *)by_handle;
    by_handle<<<4, 64, 256>>>(a, out, n);
    cudaLaunchKernel(handle, dim3(4), dim3(64), arguments, 256, 0);
}

// The host gives it what there is.
__global__ void asked(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_asked(const float *a, float *out, int n)
{
    size_t bytes = 0;
    cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, asked, 4, 64);
    asked<<<4, 64, bytes>>>(a, out, n);
}

// It is asked, and launched elsewhere.
__global__ void asked_alone(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int blocks_of_asked_alone()
{
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked_alone, 64, 256);
    return blocks;
}

// Other files launch it.
__global__ void elsewhere(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The host limits what it is given, where nothing can be put in front of the launch.
__global__ void no_room(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_no_room(const float *a, float *out, int n)
{
    cudaFuncSetAttribute(no_room, cudaFuncAttributeMaxDynamicSharedMemorySize, 256);
    CHECK((no_room<<<4, 64, 256>>>(a, out, n)));
}

// Overloaded.
__global__ void named_twice(int *p)
{
    *p = 1;
}

__global__ void named_twice(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_named_twice(const float *a, float *out, int n)
{
    named_twice<<<4, 64, 256>>>(a, out, n);
    named_twice<<<1, 1>>>((int *)out);
}

// Two names of one block.
__global__ void other_names(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    extern __shared__ int words[];
    float sum = n < 0 ? words[0] : 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_other_names(const float *a, float *out, int n)
{
    other_names<<<4, 64, 256>>>(a, out, n);
}

// Another function reads the block.
__device__ float cell(int i)
{
    extern __shared__ float all[];
    return all[i];
}

__global__ void by_function(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += cell(i) * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_by_function(const float *a, float *out, int n)
{
    by_function<<<4, 64, 256>>>(a, out, n);
}

// A table beside the tile, in the same block, made before the loop: it stays there.
__global__ void table_beside(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float *table = tile + 64;
    float sum = 0.f;
    table[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * table[i];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_table_beside(const float *a, float *out, int n)
{
    table_beside<<<4, 64, 512>>>(a, out, n);
}

// Sums beside the tile, in the same block.
__global__ void sum_beside(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        tile[64 + threadIdx.x] = sum;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_sum_beside(const float *a, float *out, int n)
{
    sum_beside<<<4, 64, 512>>>(a, out, n);
}

// A block as large as may be, of which the tile is the first 256 bytes: stages need little more.
__global__ void host_room(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_host_room(const float *a, float *out, int n)
{
    host_room<<<4, 64, 90000>>>(a, out, n);
}

// The stages of a tile beside it do not fit, however much dynamic memory there is.
__global__ void fixed_beside(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    __shared__ float weights[9000];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        weights[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 1.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * weights[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_fixed_beside(const float *a, float *out, int n)
{
    fixed_beside<<<4, 64, 256>>>(a, out, n);
}

// A variable holds one of two kernels.
__global__ void other_kernel(const float *a, float *out, int n)
{
    out[threadIdx.x] = a[n];
}

__global__ void held_in_turn(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_held_in_turn(const float *a, float *out, int n)
{
    auto kernel = held_in_turn;
    if (n > 100)
        kernel = other_kernel;
    kernel<<<4, 64, 256>>>(a, out, n);
}

// A variable that holds it is handed on.
void launch_any(void (*kernel)(const float *, float *, int), int n);

__global__ void handed_on(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_handed_on(const float *a, float *out, int n)
{
    auto kernel = handed_on;
    kernel<<<4, 64, 256>>>(a, out, n);
    launch_any(kernel, n);
}

// A variable of the file holds it.
__global__ void held_elsewhere(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

static auto kept_kernel = held_elsewhere;

void launch_held_elsewhere(const float *a, float *out, int n)
{
    kept_kernel<<<4, 64, 256>>>(a, out, n);
}
