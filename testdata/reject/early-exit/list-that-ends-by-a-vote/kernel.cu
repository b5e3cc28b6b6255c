// Clusters of atoms by a list that ends where its last cluster says so: behind that entry the list holds anything.
struct Cluster {
    float x[32];
    int last;
};

__global__ void energies(const Cluster *__restrict__ clusters, const int *__restrict__ list,
                         float *__restrict__ energy, int longest)
{
    __shared__ float there[32];
    __shared__ int ends;
    const float own = clusters[blockIdx.x].x[threadIdx.x];
    float sum = 0.f;
    bool done = false;
    for (int k = 0; k < longest; ++k) {
        if (__syncthreads_and(done))
            break;
        const int other = list[blockIdx.x * longest + k];
        there[threadIdx.x] = clusters[other].x[threadIdx.x];
        if (threadIdx.x == 0)
            ends = clusters[other].last;
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += 1.f / (0.1f + fabsf(own - there[j]));
        done = ends != 0;
    }
    energy[blockIdx.x * 32 + threadIdx.x] = sum;
}

// The same by the list in one expression, of rows of a sparse matrix that end by a mark.
__global__ void marked_rows(const float *__restrict__ x, const int *__restrict__ order, float *__restrict__ out, int most)
{
    __shared__ float part[64];
    float sum = 0.f;
    bool full = false;
    for (int k = 0; k < most; ++k) {
        if (__syncthreads_count(full) == 64)
            break;
        part[threadIdx.x] = x[order[k] * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64 && !full; ++i) {
            sum += part[i];
            full = sum > 100.f;
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
