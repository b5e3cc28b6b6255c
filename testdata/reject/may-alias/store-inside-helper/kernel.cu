struct Sink {
    float *out;
    int pitch;
    __device__ void put(int r, int c, float v) const { out[r * pitch + c] = v; }
};

// The store is in a member function, its pointer in a struct.
__global__ void filtered_rows(const float *img, const float *kern, Sink sink, int rows)
{
    __shared__ float line[256];
    const int c = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        line[c] = img[r * 256 + c];
        __syncthreads();
        float v = 0.f;
        for (int k = 0; k < 5; ++k)
            v += kern[k] * line[(c + k) & 255];
        sink.put(r, c, v);
        __syncthreads();
    }
}
