// Points of any type with x and y. Those of one instantiation are 8 bytes wide and
// begin at any multiple of 4: behind a header of three words, for one.
struct Point {
    float x, y;
};

template <class P>
__global__ void __launch_bounds__(128)
spread(const float *__restrict__ words, float *__restrict__ out, int tiles)
{
    __shared__ P near[128];
    const P *points = reinterpret_cast<const P *>(words + 3);
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: variant=cp.async
    for (int k = 0; k < tiles; ++k) {
        near[t] = points[k * 128 + t];
        __syncthreads();
        for (int j = 0; j < 128; ++j)
            sum += near[j].x * near[t].y;
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = sum;
}

template __global__ void spread<Point>(const float *, float *, int);
