#include <cuda_pipeline.h>

// Splats are blended front to back. The vectors have unions for the names of their
// members, and constructors that are templates: which one runs is what counts, and
// all of those here only set members.
template <int N, class T> struct vec;

template <class T> struct vec<2, T> {
    union { T x, r, s; };
    union { T y, g, t; };

    constexpr vec() = default;
    constexpr vec(vec const &) = default;
    __host__ __device__ constexpr vec(T a, T b);
    template <class U> __host__ __device__ constexpr explicit vec(vec<2, U> const &v);
};

template <class T> struct vec<3, T> {
    union { T x, r, s; };
    union { T y, g, t; };
    union { T z, b, p; };

    constexpr vec() = default;
    constexpr vec(vec const &) = default;
    __host__ __device__ constexpr explicit vec(T all) : x(all), y(all), z(all) {}
    template <class A, class B, class C>
    __host__ __device__ constexpr vec(A a, B b, C c);
    constexpr vec &operator=(vec const &) = default;
    template <class U> __host__ __device__ constexpr vec &operator=(vec<3, U> const &v);
    template <class U> __host__ __device__ constexpr vec &operator+=(vec<3, U> const &v);
};

template <class T>
__host__ __device__ constexpr vec<2, T>::vec(T a, T b) : x(a), y(b) {}

template <class T>
template <class A, class B, class C>
__host__ __device__ constexpr vec<3, T>::vec(A a, B b, C c)
    : x(static_cast<T>(a)), y(static_cast<T>(b)), z(static_cast<T>(c)) {}

template <class T>
template <class U>
__host__ __device__ constexpr vec<3, T> &vec<3, T>::operator+=(vec<3, U> const &v)
{
    x += static_cast<T>(v.x);
    y += static_cast<T>(v.y);
    z += static_cast<T>(v.z);
    return *this;
}

template <class T>
__host__ __device__ constexpr vec<3, T> operator*(T by, vec<3, T> const &v)
{
    return vec<3, T>(by * v.x, by * v.y, by * v.z);
}

typedef vec<2, float> vec2;
typedef vec<3, float> vec3;

// pipelinify: launch blend
//   sizes   n=0,1,63,64,65,128,200,257,320
//   target  n=20000
//   grid    2, 3
//   block   16, 4
//   centres: in  [256] range(0, 24)
//   conics:  in  [256] range(0.001, 0.05)
//   opacity: in  [256] range(0, 0.4)
//   ids:     in  [n] below(256)
//   colours: in  [256] range(0, 1)
//   image:   out [384]
//   n:       n
__global__ void blend(const vec2 *__restrict__ centres, const vec3 *__restrict__ conics,
                      const float *__restrict__ opacity, const int *__restrict__ ids,
                      const vec3 *__restrict__ colours, vec3 *__restrict__ image, int n)
{
    __shared__ int id_stage[2][64];
    __shared__ vec3 at_stage[2][64];
    __shared__ vec3 conic_stage[2][64];
    int rank = threadIdx.y * 16 + threadIdx.x;
    float px = blockIdx.x * 16 + threadIdx.x + 0.5f;
    float py = blockIdx.y * 4 + threadIdx.y + 0.5f;
    vec3 sum(0.0f);
    float left = 1;
    bool done = false;
    // pipelinify: cp.async, 2 stages, source 6e404793
    int batch = 0, batch_tile = batch, stage = 0;
    if (batch < (n + 63) / 64) {
        bool voted = __syncthreads_count(done) >= 64;
        if (!voted) {
            {
                int i = batch * 64 + rank;
                if (i < n) {
                    int g = ids[i];
                    __pipeline_memcpy_async(&id_stage[0][rank], &ids[i], sizeof(int));
                    const vec2 xy = centres[g];
                    at_stage[0][rank] = {xy.x, xy.y, opacity[g]};
                    conic_stage[0][rank] = conics[g];
                }
            }
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            // Main loop: copy or fetch the next tile while computing on this one.
            for (++batch; batch < (n + 63) / 64; ++batch) {
                float at_next;
                vec3 conic_next;
                vec2 xy_next;
                int i = batch * 64 + rank;
                if (i < n) {
                    int g = ids[i];
                    __pipeline_memcpy_async(&id_stage[stage ^ 1][rank], &ids[i], sizeof(int));
                    const vec2 xy = centres[g];
                    xy_next = xy;
                    at_next = opacity[g];
                    conic_next = conics[g];
                }
                __pipeline_commit();
                for (int j = 0; j < min(64, n - batch_tile * 64) && !done; ++j) {
                    const vec3 c = conic_stage[stage][j];
                    const vec3 p = at_stage[stage][j];
                    const vec2 d = {p.x - px, p.y - py};
                    float sigma = 0.5f * (c.x * d.x * d.x + c.z * d.y * d.y) + c.y * d.x * d.y;
                    float alpha = fminf(0.999f, p.z * __expf(-sigma));
                    if (sigma < 0 || alpha < 1.0f / 255)
                        continue;
                    float next = left * (1 - alpha);
                    if (next < 1e-4f) {
                        done = true;
                        break;
                    }
                    sum += (alpha * left) * colours[id_stage[stage][j]];
                    left = next;
                }
                ++batch_tile;
                stage ^= 1;
                if (i < n) {
                    vec2 xy = xy_next;
                    at_stage[stage][rank] = {xy.x, xy.y, at_next};
                    conic_stage[stage][rank] = conic_next;
                }
                __pipeline_wait_prior(0);
                voted = __syncthreads_count(done) >= 64;
                if (voted)
                    break;
            }
            if (!voted) {
                for (int j = 0; j < min(64, n - batch_tile * 64) && !done; ++j) {
                    const vec3 c = conic_stage[stage][j];
                    const vec3 p = at_stage[stage][j];
                    const vec2 d = {p.x - px, p.y - py};
                    float sigma = 0.5f * (c.x * d.x * d.x + c.z * d.y * d.y) + c.y * d.x * d.y;
                    float alpha = fminf(0.999f, p.z * __expf(-sigma));
                    if (sigma < 0 || alpha < 1.0f / 255)
                        continue;
                    float next = left * (1 - alpha);
                    if (next < 1e-4f) {
                        done = true;
                        break;
                    }
                    sum += (alpha * left) * colours[id_stage[stage][j]];
                    left = next;
                }
            }
        }
    }
    image[(blockIdx.y * 2 + blockIdx.x) * 64 + rank] = sum;
}
