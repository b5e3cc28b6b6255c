#define BOX 40
#define THREADS 32

// One cursor for the load, the compute side and the next load: it is set back, and no
// buffers alternate.
__global__ void box_forces(const int *__restrict__ first, const float4 *__restrict__ atoms,
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
        w = t;
        __syncthreads();
    }
    force[blockIdx.x * THREADS + t] = sum;
}
