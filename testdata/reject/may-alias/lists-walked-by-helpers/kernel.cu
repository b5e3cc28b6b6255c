// Rows weighted by what a list holds that many nodes on: a helper gives the next
// node, and the pointer that it is given leads on for ever. Where the node's own
// count is kept, it may lie in what later rows are loaded from.
struct node
{
    node *next;
    float weight;
};

__device__ const node *next_of(const node *at) { return at->next; }

__device__ node following(node at) { return *at.next; }

__device__ node *open_next(node *at) { return at->next; }

__device__ float weight_on(const node *at, int n)
{
    for (int i = 0; i < n; ++i)
        at = next_of(at);
    return at->weight;
}

__device__ float weight_behind(node at, int n)
{
    for (int i = 0; i < n; ++i)
        at = following(at);
    return at.weight;
}

__device__ void weigh(node *at, int n, float weight)
{
    for (int i = 0; i < n; ++i)
        at = open_next(at);
    at->weight = weight;
}

__global__ void sums_on(const float *__restrict__ rows, const node *__restrict__ first,
                        float *__restrict__ sums, int n)
{
    __shared__ float row[64];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r)
    {
        row[threadIdx.x] = rows[r * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += row[k] * weight_on(first, 20);
        __syncthreads();
    }
    sums[threadIdx.x] = sum + weight_behind(*first, n);
}

__global__ void sums_kept(const float *rows, node *first, float *__restrict__ sums, int n)
{
    __shared__ float row[64];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r)
    {
        row[threadIdx.x] = rows[r * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += row[k];
        weigh(first, 20, sum);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void sums_behind(const float *__restrict__ rows, const node *__restrict__ first,
                            float *__restrict__ sums, int n)
{
    __shared__ float row[64];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r)
    {
        row[threadIdx.x] = rows[r * 64 + threadIdx.x];
        __syncthreads();
        float weight = weight_behind(*first, r);
        for (int k = 0; k < 64; ++k)
            sum += row[k] * weight;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
