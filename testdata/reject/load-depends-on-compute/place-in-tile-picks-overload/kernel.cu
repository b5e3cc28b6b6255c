// The place in the tile picks an overload where it is handed to a helper: a zero in its stead would be a pointer.
struct Step {
    long at;
    __device__ Step(long place) : at(place) {}
};

__device__ float weight(Step step) { return 1.0f + step.at; }
__device__ float weight(const float *) { return 2.0f; }

__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[16];
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) {
        const long place = j % 16;
        if (place == 0) {
            __syncthreads();
            tile[threadIdx.x] = j + threadIdx.x < n ? a[j + threadIdx.x] * weight(place) : 0.0f;
            __syncthreads();
        }
        sum += tile[place] * (place ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}
