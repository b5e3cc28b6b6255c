// Vectors of a header whose operators work on copies that have no name, with constructors from
// vectors of other types: `a - b` is `vec(a) -= b`.
#include <cuda_runtime.h>

#include "vectors.h"

using vec3 = vec<3, float>;

// Planes of splats past the pixel of each thread; how deep rays meet them adds up.
// pipelinify: launch depths<float>
//   sizes    n=0,1,63,64,65,128,200 splats=70
//   target   n=1000000 splats=4096
//   grid     3
//   block    64
//   us:      in [splats * 3] range(-1, 1)
//   ws:      in [splats * 3] range(-1, 1)
//   ids:     in [n] below(70)
//   depth:   out [192]
//   n:       n
template <typename T>
__global__ void depths(const vec3 *__restrict__ us, const vec3 *__restrict__ ws,
                       const int *__restrict__ ids, T *__restrict__ depth, int n)
{
    __shared__ vec3 u_tile_stage[2][64], w_tile_stage[2][64];
    const float px = threadIdx.x + 0.5f, py = blockIdx.x + 0.5f;
    T sum = 0;
    // pipelinify: ldg, 2 stages, source 0b2d6c43
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int b = 0, b_tile = b, stage = 0;
    if (b < n) {
        __syncthreads();
        auto compute_tile = [&]() {
            const int m = min(64, n - b_tile);
            for (int t = 0; t < m; ++t) {
                const vec3 u = u_tile_stage[stage][t], w = w_tile_stage[stage][t];
                const vec3 ray = cross(px * w - u, py * w - u - u);
                if (ray.z == 0.f)
                    continue;
                sum += ray.x / ray.z - ray.y;
            }
        };
        {
            const int at = b + threadIdx.x;
            if (at < n) {
                const int id = ids[at];
                u_tile_stage[0][threadIdx.x] = us[id];
                w_tile_stage[0][threadIdx.x] = ws[id];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (b += 64; b < n; b += 64) {
            vec3 u_tile_next;
            vec3 w_tile_next;
            const int at = b + threadIdx.x;
            if (at < n) {
                const int id = ids[at];
                u_tile_next = us[id];
                w_tile_next = ws[id];
            }
            compute_tile();
            b_tile += 64;
            stage ^= 1;
            if (at < n) {
                u_tile_stage[stage][threadIdx.x] = u_tile_next;
                w_tile_stage[stage][threadIdx.x] = w_tile_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    depth[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const vec3 *us, const vec3 *ws, const int *ids, float *depth, int n)
{
    depths<float><<<3, 64>>>(us, ws, ids, depth, n);
}
