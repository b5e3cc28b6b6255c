__global__ void find_token(const unsigned *__restrict__ text, unsigned token,
                           int tiles, int *__restrict__ hits)
{
    __shared__ unsigned window[128];
    int count = 0;
    for (int t = 0; t < tiles; ++t) {
        window[threadIdx.x] = text[t * 128 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            if (window[j] == 0u)
                goto end_of_text;           // terminator, same for all threads
            if (window[j] == token + threadIdx.x)
                ++count;
        }
        __syncthreads();
    }
end_of_text:
    hits[blockIdx.x * 128 + threadIdx.x] = count;
}
