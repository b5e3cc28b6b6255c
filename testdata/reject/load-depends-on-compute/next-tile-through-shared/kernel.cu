// A queue in shared memory: thread 0 decides in the compute phase where the
// whole block reads next.
constexpr int NODE = 32;

__global__ void tree_descent(const int *__restrict__ keys, const int *__restrict__ children,
                             const int *__restrict__ wanted, int *__restrict__ leaf, int height)
{
    __shared__ int node[NODE];
    __shared__ int where;
    const int lane = threadIdx.x;
    const int key = wanted[blockIdx.x];

    if (lane == 0) where = 0;
    __syncthreads();
    for (int h = 0; h < height; ++h) {
        node[lane] = keys[where * NODE + lane];
        __syncthreads();
        if (lane == 0) {
            int c = 0;
            while (c < NODE - 1 && node[c] < key) ++c;
            where = children[where * NODE + c];
        }
        __syncthreads();
    }
    if (lane == 0) leaf[blockIdx.x] = where;
}
