// Bodies that are made where they lie, in bytes of shared memory.
#include <new>

struct Body {
    float x, y, z, m;
    __device__ Body(float x_, float y_, float z_, float m_) : x(x_), y(y_), z(z_), m(m_) {}
    __device__ float pull(float px, float py, float pz) const
    {
        const float dx = x - px, dy = y - py, dz = z - pz;
        return m * rsqrtf(dx * dx + dy * dy + dz * dz + 0.125f);
    }
};

// pipelinify: launch potentials
//   sizes    tiles=0,1,2,4
//   target   tiles=256
//   grid     2
//   block    64
//   p:       in  [tiles * 256 + 1]
//   at:      in  [2 * 64]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void potentials(const float *__restrict__ p, const float *__restrict__ at, float *__restrict__ o,
                           int tiles)
{
    __shared__ __align__(16) unsigned char bytes[64 * sizeof(Body)];
    Body *bodies = reinterpret_cast<Body *>(bytes);
    const float x = at[blockIdx.x * 64 + threadIdx.x];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source f91867cb
    int t = 0;
    if (t < tiles) {
        {
            const float *from = p + (t * 64 + threadIdx.x) * 4;
            bodies[threadIdx.x] = Body(from[0], from[1], from[2], from[3]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            const float *from = p + (t * 64 + threadIdx.x) * 4;
            float bodies_next = from[0];
            float bodies_next2 = from[1];
            float bodies_next3 = from[2];
            float bodies_next4 = from[3];
            for (int j = 0; j < 64; ++j)
                sum += bodies[j].pull(x, -x, 0.5f * x);
            __syncthreads();
            bodies[threadIdx.x] = Body(bodies_next, bodies_next2, bodies_next3, bodies_next4);
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += bodies[j].pull(x, -x, 0.5f * x);
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}
