// Rays against triangles. A tile is one record of arrays, and the last one is short: what is read
// of each member is what the same member was given.
struct Hit {
    float t;
    int id;
};

struct TriangleTile {
    float3 v0[64], e1[64], e2[64];
};

__device__ __forceinline__ float3 operator-(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ __forceinline__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ __forceinline__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// pipelinify: launch nearest_hit
//   sizes    R=70 T=0,1,64,65,128,200
//   target   R=1048576 T=4096
//   grid     (R + 63) / 64
//   block    64
//   origins: in [R] random
//   dirs:    in [R] random
//   verts:   in [3 * T + 1] random
//   t_out:   out [R]
//   id_out:  out [R]
//   nrays:   R
//   ntris:   T
__global__ void nearest_hit(const float3 *__restrict__ origins, const float3 *__restrict__ dirs,
                            const float3 *__restrict__ verts, float *__restrict__ t_out,
                            int *__restrict__ id_out, int nrays, int ntris)
{
    __shared__ TriangleTile tile_stage[2];
    const int ray = min(blockIdx.x * 64 + threadIdx.x, nrays - 1);
    const float3 o = origins[ray], d = dirs[ray];
    Hit best = { 1e30f, -1 };

    // pipelinify: ldg, 2 stages, source df74d65a
    int first = 0, first_tile = first, stage = 0;
    if (first < ntris) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            const int count = min(64, ntris - first_tile);
            for (int i = 0; i < count; ++i) {
                const float3 p = cross(d, tile.e2[i]);
                const float det = dot(tile.e1[i], p);
                if (fabsf(det) < 1e-8f)
                    continue;
                const float inv = 1.f / det;
                const float3 s = o - tile.v0[i];
                const float u = dot(s, p) * inv;
                const float3 q = cross(s, tile.e1[i]);
                const float v = dot(d, q) * inv;
                const float t = dot(tile.e2[i], q) * inv;
                if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < best.t)
                    best = { t, first_tile + i };
            }
        };
        {
            const int mine = first + (int)threadIdx.x;
            if (mine < ntris) {
                const float3 a = verts[3 * mine], b = verts[3 * mine + 1], c = verts[3 * mine + 2];
                tile_stage[0].v0[threadIdx.x] = a;
                tile_stage[0].e1[threadIdx.x] = b - a;
                tile_stage[0].e2[threadIdx.x] = c - a;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < ntris; first += 64) {
            float3 a_next;
            float3 b_next;
            float3 c_next;
            const int mine = first + (int)threadIdx.x;
            if (mine < ntris) {
                const float3 a = verts[3 * mine], b = verts[3 * mine + 1], c = verts[3 * mine + 2];
                a_next = a;
                b_next = b;
                c_next = c;
            }
            compute_tile();
            first_tile += 64;
            stage ^= 1;
            if (mine < ntris) {
                float3 a = a_next;
                float3 b = b_next;
                float3 c = c_next;
                tile_stage[stage].v0[threadIdx.x] = a;
                tile_stage[stage].e1[threadIdx.x] = b - a;
                tile_stage[stage].e2[threadIdx.x] = c - a;
            }
            __syncthreads();
        }
        compute_tile();
    }
    t_out[ray] = best.t;
    id_out[ray] = best.id;
}

// Members of members, and one that is no array: it says how much of the others counts.
struct Span {
    int from[32], to[32];
};

struct SpanTile {
    Span span;
    float gain[2][32];
    int used;
};

// pipelinify: launch covered
//   sizes    N=0,1,31,32,33,64,100
//   target   N=1048576
//   grid     1
//   block    32
//   from:    in  [N + 1] below(20)
//   to:      in  [N + 1] below(40)
//   gain:    in  [N + 1] random
//   sum:     out [32]
//   n:       N
__global__ void covered(const int *__restrict__ from, const int *__restrict__ to,
                        const float *__restrict__ gain, float *__restrict__ sum, int n)
{
    __shared__ SpanTile tile_stage[2];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: ldg, 2 stages, source 3d5e44f9
    int k = 0, k_tile = k, stage = 0;
    if (k < n) {
        {
            auto &tile = tile_stage[0];
            if (t == 0)
                tile.used = min(32, n - k);
            if (k + t < n) {
                tile.span.from[t] = from[k + t];
                tile.span.to[t] = to[k + t];
                tile.gain[0][t] = gain[k + t];
                tile.gain[1][t] = -gain[k + t];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 32; k < n; k += 32) {
            int from_next;
            int to_next;
            float gain_next;
            float gain_next2;
            if (k + t < n) {
                from_next = from[k + t];
                to_next = to[k + t];
                gain_next = gain[k + t];
                gain_next2 = gain[k + t];
            }
            for (int i = 0; i < 32 && k_tile + i < n; ++i)
                if (t >= tile_stage[stage].span.from[i])
                    total += tile_stage[stage].gain[t < tile_stage[stage].span.to[i]][i] *
                             tile_stage[stage].used;
            k_tile += 32;
            stage ^= 1;
            {
                auto &tile = tile_stage[stage];
                if (t == 0)
                    tile.used = min(32, n - k);
                if (k + t < n) {
                    tile.span.from[t] = from_next;
                    tile.span.to[t] = to_next;
                    tile.gain[0][t] = gain_next;
                    tile.gain[1][t] = -gain_next2;
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 32 && k_tile + i < n; ++i)
            if (t >= tile_stage[stage].span.from[i])
                total += tile_stage[stage].gain[t < tile_stage[stage].span.to[i]][i] *
                         tile_stage[stage].used;
    }
    sum[t] = total;
}

// A method reads what it likes of the record, here a cell that this tile may not have filled.
struct Weights {
    float w[32];

    __device__ float around(int i) const { return w[i] + w[(i + 1) % 32]; }
};

// pipelinify: launch smoothed
//   sizes    N=1,31,32,33,40,64,70
//   target   N=1048576
//   grid     1
//   block    32
//   weight:  in  [N] random
//   sum:     out [32]
//   n:       N
__global__ void smoothed(const float *__restrict__ weight, float *__restrict__ sum, int n)
{
    __shared__ Weights tile;
    const int t = threadIdx.x;
    tile.w[t] = 0.f;
    __syncthreads();
    float total = 0.f;
    // pipelinify: ldg-single, 1 stage, source 31774de4
    int k = 0, k_tile = k;
    if (k < n) {
        if (k + t < n)
            tile.w[t] = weight[k + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 32; k < n; k += 32) {
            float w_next;
            if (k + t < n)
                w_next = weight[k + t];
            for (int i = 0; i < min(32, n - k_tile); ++i)
                total += tile.around(i) * (t + 1);
            k_tile += 32;
            __syncthreads();
            if (k + t < n)
                tile.w[t] = w_next;
            __syncthreads();
        }
        for (int i = 0; i < min(32, n - k_tile); ++i)
            total += tile.around(i) * (t + 1);
    }
    sum[t] = total;
}
