// The facets of a binary STL file as they lie in it: 50 bytes each, so that their
// numbers are at even addresses and no more.
#pragma pack(push, 1)
struct Facet {
    float normal[3];
    float corner[3][3];
    unsigned short attributes;
};
#pragma pack(pop)

__global__ void __launch_bounds__(128)
lowest_corner(const Facet *__restrict__ facets, float *__restrict__ lowest, int tiles)
{
    __shared__ float z[128];
    const int t = threadIdx.x;
    float low = 3.4e38f;
    // pipelinify: variant=cp.async
    for (int k = 0; k < tiles; ++k) {
        const Facet &facet = facets[k * 128 + t];
        z[t] = facet.corner[0][2];
        __syncthreads();
        for (int j = 0; j < 128; ++j)
            low = fminf(low, z[j]);
        __syncthreads();
    }
    lowest[blockIdx.x * 128 + t] = low;
}
