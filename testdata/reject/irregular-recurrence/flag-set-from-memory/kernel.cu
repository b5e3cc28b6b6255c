// The flag that the condition asks is set behind the loads, from memory: the
// loads would have to run ahead of that.
__global__ void drain(const float *__restrict__ queue, const int *__restrict__ length,
                      float *__restrict__ out)
{
    __shared__ float batch[64];
    float sum = 0.0f;
    int k = 0;
    bool more = length[0] > 0;
    while (more) {
        batch[threadIdx.x] = queue[k * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += batch[j] * (j ^ threadIdx.x);
        ++k;
        more = k < length[0];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
