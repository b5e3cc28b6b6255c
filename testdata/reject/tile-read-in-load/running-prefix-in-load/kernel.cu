// Delta-coded input: the new tile is the old one plus what comes in.
__global__ void undelta(const int *__restrict__ deltas, int *__restrict__ peaks, int rows)
{
    __shared__ int row[256];
    const int c = threadIdx.x;
    int peak = 0;
    row[c] = 0;
    for (int r = 0; r < rows; ++r) {
        row[c] += deltas[r * 256 + c];
        __syncthreads();
        if (c > 0 && row[c] > row[c - 1]) ++peak;
        __syncthreads();
    }
    peaks[blockIdx.x * 256 + c] = peak;
}
