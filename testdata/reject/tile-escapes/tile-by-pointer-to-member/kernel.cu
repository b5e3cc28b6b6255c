// Which of the record's two arrays is the tile is said by a pointer to a member.
#define SPAN 64

struct buffers {
    float even[SPAN];
    float odd[SPAN];
};

__global__ void parity_sums(const float *__restrict__ x, float *__restrict__ out, int n, int odd)
{
    __shared__ buffers memory;
    float (buffers::*span)[SPAN] = odd ? &buffers::odd : &buffers::even;
    float sum = 0.0f;
    for (int at = 0; at < n; at += SPAN) {
        (memory.*span)[threadIdx.x] = x[at + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SPAN; ++j)
            sum += (memory.*span)[j];
        __syncthreads();
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
