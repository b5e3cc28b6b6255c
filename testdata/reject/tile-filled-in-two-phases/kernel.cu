// The second half of the round fills the same tile from the other operand.
__global__ void alternate_operands(const float *__restrict__ left, const float *__restrict__ right,
                                   float *__restrict__ out, int rounds)
{
    __shared__ float operand[64];
    float dot = 0.f;
    for (int r = 0; r < rounds; ++r) {
        operand[threadIdx.x] = left[r * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            dot += operand[k];
        __syncthreads();
        operand[threadIdx.x] = right[r * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            dot -= operand[k] * 0.5f;
        __syncthreads();
    }
    out[threadIdx.x] = dot;
}
