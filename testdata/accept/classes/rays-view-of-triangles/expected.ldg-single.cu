// Brute-force closest hit: every ray against all triangles, triangles staged in shared memory.
#include <cuda_runtime.h>
#include <cfloat>

namespace geom {

struct Triangle {
    float3 v0, e1, e2;
};

struct Hit {
    float t;
    int   id;
};

__host__ __device__ inline float3 operator-(const float3 &a, const float3 &b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__host__ __device__ inline float3 cross(const float3 &a, const float3 &b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__host__ __device__ inline float dot(const float3 &a, const float3 &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

class TriangleSoup {
public:
    __host__ __device__ TriangleSoup(const Triangle *t, int n) : tris_(t), count_(n) {}
    __device__ int size() const { return count_; }
    __device__ const Triangle &operator[](int i) const { return tris_[i]; }

private:
    const Triangle *tris_;
    int count_;
};

// Moeller-Trumbore; true when the hit is nearer than tmax
__device__ bool intersect(const float3 &org, const float3 &dir, const Triangle &tri, float tmax, float &t)
{
    const float3 p = cross(dir, tri.e2);
    const float det = dot(tri.e1, p);
    if (fabsf(det) < 1e-8f)
        return false;
    const float inv = 1.0f / det;
    const float3 s = org - tri.v0;
    const float u = dot(s, p) * inv;
    if (u < 0.0f || u > 1.0f)
        return false;
    const float3 q = cross(s, tri.e1);
    const float v = dot(dir, q) * inv;
    if (v < 0.0f || u + v > 1.0f)
        return false;
    t = dot(tri.e2, q) * inv;
    return t > 0.0f && t < tmax;
}

constexpr int BATCH = 64;

__global__ void closest_hit(const float3 *__restrict__ origins, const float3 *__restrict__ dirs,
                            const Triangle *__restrict__ triangles, int *__restrict__ hit_id,
                            float *__restrict__ hit_t, int num_rays, int num_triangles)
{
    __shared__ Triangle batch[BATCH];

    const int ray = blockIdx.x * blockDim.x + threadIdx.x;
    const bool alive = ray < num_rays;
    const float3 org = alive ? origins[ray] : make_float3(0, 0, 0);
    const float3 dir = alive ? dirs[ray] : make_float3(0, 0, 1);
    const TriangleSoup soup(triangles, num_triangles);

    Hit best = {FLT_MAX, -1};
    // pipelinify: ldg-single, 1 stage, source dd0ca889
    int first = 0, first_tile = first;
    if (first < soup.size()) {
        auto compute_tile = [&]() {
            const int count = min(BATCH, soup.size() - first_tile);

            for (int i = 0; i < count; ++i) {
                float t;
                if (alive && intersect(org, dir, batch[i], best.t, t)) {
                    best.t = t;
                    best.id = first_tile + i;
                }
            }
        };
        {
            const int count = min(BATCH, soup.size() - first);
            for (int i = threadIdx.x; i < count; i += blockDim.x)
                batch[i] = soup[first + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += BATCH; first < soup.size(); first += BATCH) {
            Triangle batch_next[2];
            const int count = min(BATCH, soup.size() - first);
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < count)
                    batch_next[slot] = soup[first + i];
            }
            compute_tile();
            first_tile += BATCH;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < count)
                    batch[i] = batch_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 2 * blockDim.x; i < count; i += blockDim.x)
                batch[i] = soup[first + i];
            __syncthreads();
        }
        compute_tile();
    }

    if (alive) {
        hit_id[ray] = best.id;
        hit_t[ray] = best.t;
    }
}

}  // namespace geom

// pipelinify: launch geom::closest_hit
//   sizes R=10,64 T=0,1,64,65,200
//   target R=32768 T=8192
//   grid (R + 31) / 32
//   block 32
//   origins: in [R]
//   dirs: in [R]
//   triangles: in [T + 1]
//   hit_id: inout [R]
//   hit_t: inout [R]
//   num_rays: R
//   num_triangles: T
