// Rays against tiles of triangles: the tile is a class, whose method loads one triangle, edges made on the way,
// by those threads that have one. The loop steps by what another method gives, which is a constant.
#include <cuda_runtime.h>

struct Ray { float3 o, d; };
struct Hit { float t; int id; };

__host__ __device__ inline float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

class TriangleTile
{
    static constexpr int N = 32;
    float3 v0_[N], e1_[N], e2_[N];

  public:
    static __device__ constexpr int size() { return N; }
    __device__ void fetch(int slot, const float3 *verts, const int3 *faces, int f)
    {
        const int3 id = faces[f];
        const float3 a = verts[id.x];
        v0_[slot] = a;
        e1_[slot] = verts[id.y] - a;
        e2_[slot] = verts[id.z] - a;
    }

    __device__ auto load_fetch(const float3 *verts, const int3 *faces, int f)
    {
        struct {
            float3 e1_next;
            float3 e2_next;
            float3 a_next;
        } next;
        const int3 id = faces[f];
        const float3 a = verts[id.x];
        next.a_next = a;
        next.e1_next = verts[id.y];
        next.e2_next = verts[id.z];
        return next;
    }

    template <typename Registers>
    __device__ void load_store(int slot, const Registers &next)
    {
        float3 a = next.a_next;
        v0_[slot] = a;
        e1_[slot] = next.e1_next - a;
        e2_[slot] = next.e2_next - a;
    }
    __device__ bool hit(int slot, const Ray &r, float &t) const
    {
        const float3 p = cross(r.d, e2_[slot]);
        const float det = dot(e1_[slot], p);
        if (fabsf(det) < 1e-9f)
            return false;
        const float inv = 1.f / det;
        const float3 s = r.o - v0_[slot];
        const float u = dot(s, p) * inv;
        const float3 q = cross(s, e1_[slot]);
        const float v = dot(r.d, q) * inv;
        t = dot(e2_[slot], q) * inv;
        return u >= 0.f && v >= 0.f && u + v <= 1.f && t > 0.f;
    }
};

// pipelinify: launch trace
//   sizes nf=0,1,31,32,33,64,100,130 nr=70 nv=20
//   target nf=4096 nr=1048576 nv=4096
//   grid (nr + 31) / 32
//   block 32
//   ro: in [nr]
//   rd: in [nr]
//   hit_t: out [nr]
//   hit_id: out [nr]
//   verts: in [nv]
//   faces: in [nf] below(nv)
//   nr: nr
//   nf: nf
__global__ void __launch_bounds__(32)
trace(const float3 *ro, const float3 *rd, float *hit_t, int *hit_id, const float3 *verts, const int3 *faces, int nr, int nf)
{
    __shared__ TriangleTile tile;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool active = i < nr;
    Ray r{};
    if (active) {
        r.o = ro[i];
        r.d = rd[i];
    }
    Hit best{1e30f, -1};
    // pipelinify: ldg-single, 1 stage, source 5413589e
    int base = 0, base_tile = base;
    if (base < nf) {
        auto compute_tile = [&]() {
            if (active) {
                int lim = min(tile.size(), nf - base_tile);
                for (int k = 0; k < lim; ++k) {
                    float t;
                    if (tile.hit(k, r, t) && t < best.t)
                        best = Hit{t, base_tile + k};
                }
            }
        };
        if (base + threadIdx.x < nf)
            tile.fetch(threadIdx.x, verts, faces, base + threadIdx.x);
        base += tile.size();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; base < nf; base += tile.size()) {
            decltype(tile.load_fetch(verts, faces, base + threadIdx.x)) tile_next;
            if (base + threadIdx.x < nf)
                tile_next = tile.load_fetch(verts, faces, base + threadIdx.x);
            compute_tile();
            base_tile += tile.size();
            __syncthreads();
            if (base + threadIdx.x < nf)
                tile.load_store(threadIdx.x, tile_next);
            __syncthreads();
        }
        compute_tile();
    }
    if (active) {
        hit_t[i] = best.t;
        hit_id[i] = best.id;
    }
}
