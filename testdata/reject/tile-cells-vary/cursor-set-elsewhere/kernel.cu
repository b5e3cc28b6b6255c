#define BOX 40
#define THREADS 32

// A cursor that is set back, but not to where the next tile begins: see the accepted case.

// Before the loop it was set to something else.
__global__ void begins_elsewhere(const int *__restrict__ first, const float4 *__restrict__ atoms,
                                 float4 *__restrict__ force, int boxes)
{
    __shared__ float4 other[BOX];
    const int t = threadIdx.x;
    int w = t + 1;
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < boxes; k++) {
        const float4 *from = atoms + first[k];
        while (w < BOX) {
            other[w] = from[w];
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other[j].w - other[w].x;
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}

// What it is set back to moves on.
__global__ void set_to_what_moves(const int *__restrict__ first, const float4 *__restrict__ atoms,
                                  float4 *__restrict__ force, int boxes)
{
    __shared__ float4 other[BOX];
    int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < boxes; k++) {
        const float4 *from = atoms + first[k];
        while (w < BOX) {
            other[w] = from[w];
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other[j].w - other[w].x;
            w = w + THREADS;
        }
        w = t;
        t = (t + 3) % THREADS;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}

// It is set back on one path.
__global__ void set_on_one_path(const int *__restrict__ first, const float4 *__restrict__ atoms,
                                float4 *__restrict__ force, int boxes)
{
    __shared__ float4 other[BOX];
    const int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < boxes; k++) {
        const float4 *from = atoms + first[k];
        while (w < BOX) {
            other[w] = from[w];
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other[j].w - other[w].x;
            w = w + THREADS;
        }
        if (sum.x < 9.0f)
            w = t;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}

// A loop before this one moves it on.
__global__ void moved_on_before(const int *__restrict__ first, const float4 *__restrict__ atoms,
                                float4 *__restrict__ force, int boxes)
{
    __shared__ float4 other[BOX];
    const int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    while (w < 0)
        w++;
    for (int k = 0; k < boxes; k++) {
        const float4 *from = atoms + first[k];
        while (w < BOX) {
            other[w] = from[w];
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other[j].w - other[w].x;
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}

// A tile that is passed over does not set it back.
__global__ void passed_over(const int *__restrict__ first, const float4 *__restrict__ atoms,
                            float4 *__restrict__ force, int boxes)
{
    __shared__ float4 other[BOX];
    const int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < boxes; k++) {
        const float4 *from = atoms + first[k];
        while (w < BOX) {
            other[w] = from[w];
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
        if (first[k] < 0)
            continue;
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other[j].w - other[w].x;
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}

// A pointer knows it.
__global__ void reached_by_pointer(const int *__restrict__ first, const float4 *__restrict__ atoms,
                                   float4 *__restrict__ force, int boxes)
{
    __shared__ float4 other[BOX];
    const int t = threadIdx.x;
    int w = t;
    float4 sum = {0, 0, 0, 0};
    int *p = &w;
    for (int k = 0; k < boxes; k++) {
        const float4 *from = atoms + first[k];
        while (w < BOX) {
            other[w] = from[w];
            w = w + THREADS;
        }
        w = t;
        __syncthreads();
        while (w < BOX) {
            for (int j = 0; j < BOX; j++)
                sum.x += other[j].w - other[w].x;
            w = w + THREADS;
        }
        w = t;
        ++*p;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}
