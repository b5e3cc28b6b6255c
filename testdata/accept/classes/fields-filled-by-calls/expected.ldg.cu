// Two calls are handed one record and fill its fields: another one each, or the same
// one, in which asynchronous copies would meet.

struct Rows {
    float a[16][20];
    float b[16][20];
};

__device__ void fill_a(Rows &rows, const float *__restrict__ from)
{
    for (int i = threadIdx.x; i < 256; i += 64)
        rows.a[i % 16][i / 16] = from[i];
}

__device__ auto fill_a_fetch(const float *__restrict__ from)
{
    struct {
        float a_next[4];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 4; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        next.a_next[slot] = from[i];
    }
    return next;
}

template <typename Registers>
__device__ void fill_a_store(Rows &rows, const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 4; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        rows.a[i % 16][i / 16] = next.a_next[slot];
    }
}

__device__ void fill_b(Rows &rows, const float *__restrict__ from)
{
    for (int i = threadIdx.x; i < 256; i += 64)
        rows.b[i % 16][i / 16] = from[i];
}

__device__ auto fill_b_fetch(const float *__restrict__ from)
{
    struct {
        float b_next[4];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 4; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        next.b_next[slot] = from[i];
    }
    return next;
}

template <typename Registers>
__device__ void fill_b_store(Rows &rows, const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 4; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        rows.b[i % 16][i / 16] = next.b_next[slot];
    }
}

__device__ void fill_front_of_a(Rows &rows, const float *__restrict__ from)
{
    for (int i = threadIdx.x; i < 128; i += 64)
        rows.a[i % 16][i / 16] = from[i];
}

__device__ auto fill_front_of_a_fetch(const float *__restrict__ from)
{
    struct {
        float a_next[2];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 2; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        next.a_next[slot] = from[i];
    }
    return next;
}

template <typename Registers>
__device__ void fill_front_of_a_store(Rows &rows, const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 2; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        rows.a[i % 16][i / 16] = next.a_next[slot];
    }
}

__global__ void __launch_bounds__(64)
one_field_each(const float *__restrict__ x, const float *__restrict__ y,
               float *__restrict__ sums, int tiles)
{
    __shared__ Rows rows_stage[2];
    const int column = threadIdx.x % 16;
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 3c7b0f51
    int t = 0, stage = 0;
    if (t < tiles) {
        fill_a(rows_stage[0], x + t * 256);
        fill_b(rows_stage[0], y + t * 256);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < tiles; t++) {
            auto rows_next = fill_a_fetch(x + t * 256);
            auto rows_next2 = fill_b_fetch(y + t * 256);
            for (int i = 0; i < 16; i++)
                sum += rows_stage[stage].a[i][column] * rows_stage[stage].b[column][i];
            stage ^= 1;
            fill_a_store(rows_stage[stage], rows_next);
            fill_b_store(rows_stage[stage], rows_next2);
            __syncthreads();
        }
        for (int i = 0; i < 16; i++)
            sum += rows_stage[stage].a[i][column] * rows_stage[stage].b[column][i];
    }
    sums[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(64)
one_field_twice(const float *__restrict__ x, const float *__restrict__ y,
                float *__restrict__ sums, int tiles)
{
    __shared__ Rows rows_stage[2];
    const int column = threadIdx.x % 16;
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 703e66d6
    int t = 0, stage = 0;
    if (t < tiles) {
        fill_a(rows_stage[0], x + t * 256);
        fill_front_of_a(rows_stage[0], y + t * 256);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < tiles; t++) {
            auto rows_next = fill_a_fetch(x + t * 256);
            auto rows_next2 = fill_front_of_a_fetch(y + t * 256);
            for (int i = 0; i < 16; i++)
                sum += rows_stage[stage].a[i][column];
            stage ^= 1;
            fill_a_store(rows_stage[stage], rows_next);
            fill_front_of_a_store(rows_stage[stage], rows_next2);
            __syncthreads();
        }
        for (int i = 0; i < 16; i++)
            sum += rows_stage[stage].a[i][column];
    }
    sums[threadIdx.x] = sum;
}

// pipelinify: launch one_field_each
//   sizes    tiles=0,1,2,3,4,9
//   target   tiles=4096
//   block    64
//   x:       in  [tiles * 256]
//   y:       in  [tiles * 256]
//   sums:    out [64]
//   tiles:   tiles
// pipelinify: launch one_field_twice
//   sizes    tiles=0,1,2,3,9
//   block    64
//   x:       in  [tiles * 256]
//   y:       in  [tiles * 256]
//   sums:    out [64]
//   tiles:   tiles
