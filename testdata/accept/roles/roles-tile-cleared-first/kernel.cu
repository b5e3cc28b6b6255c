// Lagged sums of a signal. The tile is cleared ahead of the loop, which fills all of it.
// pipelinify: launch lagged
//   sizes chunks=0,1,2,3,5
//   grid  2
//   block 96
//   signal: in  [chunks * 192 + 1] random
//   sums:   out [192]
//   chunks: chunks
__global__ void lagged(const float *__restrict__ signal, float *__restrict__ sums, int chunks)
{
    __shared__ float window[96];
    const int lane = threadIdx.x;
    window[lane] = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        window[lane] = signal[(chunk * 2 + blockIdx.x) * 96 + lane];
        __syncthreads();
        for (int lag = 0; lag < 96; ++lag)
            sum = 0.5f * sum + window[lag] * window[95 - (lag ^ (lane & 1))];
        __syncthreads();
    }
    sums[blockIdx.x * 96 + lane] = sum;
}

void run(const float *signal, float *sums, int chunks)
{
    lagged<<<2, 96>>>(signal, sums, chunks);
}
