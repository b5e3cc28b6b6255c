// Numbers and points that constructors make: as long as these set their members from what they
// are given, what they make is a value like any other.
struct cplx {
    float re, im;
    __host__ __device__ cplx() : re(0), im(0) { }
    __host__ __device__ cplx(float r, float i = 0) : re(r), im(i) { }
    __host__ __device__ cplx &operator+=(const cplx &o)
    {
        re += o.re;
        im += o.im;
        return *this;
    }
};

__host__ __device__ inline cplx operator*(const cplx &a, const cplx &b)
{
    return cplx(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

__host__ __device__ inline cplx conj(const cplx &a)
{
    return cplx(a.re, -a.im);
}

// One triangle of A^H A: the tiles lie in raw bytes, as shared objects may have no constructors.
// pipelinify: launch herk<true>
//   sizes    n=5,16,20 k=0,1,16,17,40
//   target   n=1024 k=4096
//   grid     (n + 15) / 16, (n + 15) / 16
//   block    16, 16
//   A:       in  [k * n + 1] random
//   C:       out [n * n]
//   n:       n
//   k:       k
template <bool ConjA>
__global__ void herk(const cplx *__restrict__ A, cplx *__restrict__ C, int n, int k)
{
    const int T = 16;
    __shared__ __align__(16) char raw_stage[2][2][T * (T + 1) * sizeof(cplx)];

    const int i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x;
    if (blockIdx.x > blockIdx.y)
        return;

    cplx sum;
    // pipelinify: ldg, 2 stages, source 2e576273
    int p = 0, p_tile = p, stage = 0;
    if (p < k) {
        auto compute_tile = [&]() {
            auto &raw = raw_stage[stage];
            auto left = reinterpret_cast<cplx(*)[T + 1]>(raw[0]);
            auto right = reinterpret_cast<cplx(*)[T + 1]>(raw[1]);
            const int rows = min(T, k - p_tile);
            for (int q = 0; q < rows; ++q)
                sum += left[threadIdx.y][q] * right[q][threadIdx.x];
        };
        {
            auto &raw = raw_stage[0];
            auto left = reinterpret_cast<cplx(*)[T + 1]>(raw[0]);
            auto right = reinterpret_cast<cplx(*)[T + 1]>(raw[1]);
            const int rows = min(T, k - p);
            cplx l, r;
            if (threadIdx.x < rows && i < n)
                l = A[(p + threadIdx.x) * n + i];
            if (threadIdx.y < rows && j < n)
                r = A[(p + threadIdx.y) * n + j];
            if constexpr (ConjA)
                l = conj(l);
            left[threadIdx.y][threadIdx.x] = l;
            right[threadIdx.y][threadIdx.x] = r;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += T; p < k; p += T) {
            const int rows = min(T, k - p);
            cplx l, r;
            if (threadIdx.x < rows && i < n)
                l = A[(p + threadIdx.x) * n + i];
            if (threadIdx.y < rows && j < n)
                r = A[(p + threadIdx.y) * n + j];
            if constexpr (ConjA)
                l = conj(l);
            compute_tile();
            p_tile += T;
            stage ^= 1;
            {
                auto &raw = raw_stage[stage];
                auto left = reinterpret_cast<cplx(*)[T + 1]>(raw[0]);
                auto right = reinterpret_cast<cplx(*)[T + 1]>(raw[1]);
                left[threadIdx.y][threadIdx.x] = l;
                right[threadIdx.y][threadIdx.x] = r;
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    if (i < n && j < n)
        C[i * n + j] = sum;
}

template __global__ void herk<true>(const cplx *, cplx *, int, int);

// A class template, and a record of such: by assignments in the body, and by copies.
template <typename T>
struct vec3 {
    T x, y, z;
    __device__ vec3(T a, T b, T c)
    {
        x = a;
        y = b;
        z = c;
    }
};

struct ray {
    vec3<float> origin, step;
    float reach;
    __device__ ray(const vec3<float> &o, const vec3<float> &d, float r)
        : origin(o), step(d), reach(r > 0 ? r : -r)
    {
    }
};

// pipelinify: launch end_points
//   sizes    rays=0,32,64,96,160
//   target   rays=1048576
//   grid     1
//   block    32
//   xyz:     in  [rays * 6 + 6] random
//   reach:   in  [rays + 1] random
//   nearest: out [32]
//   mean:    out [32]
//   rays:    rays
__global__ void end_points(const float *__restrict__ xyz, const float *__restrict__ reach,
                           float *__restrict__ nearest, float *__restrict__ mean, int rays)
{
    __shared__ float end_stage[2][3][32];
    const int t = threadIdx.x;
    const vec3<float> here(t, 0.5f * t, 0.f);
    float best = 3.4e38f, sum = 0.f;
    // pipelinify: ldg, 2 stages, source 61fca81d
    int first = 0, stage = 0;
    if (first < rays) {
        auto compute_tile = [&]() {
            for (int i = 0; i < 32; ++i) {
                const vec3<float> apart(end_stage[stage][0][i] - here.x,
                                        end_stage[stage][1][i] - here.y,
                                        end_stage[stage][2][i] - here.z);
                const float d = apart.x * apart.x + apart.y * apart.y + apart.z * apart.z;
                best = fminf(best, d);
                sum += d;
            }
        };
        {
            const float *p = xyz + (first + t) * 6;
            const ray r(vec3<float>(p[0], p[1], p[2]), vec3<float>(p[3], p[4], p[5]), reach[first + t]);
            end_stage[0][0][t] = r.origin.x + r.reach * r.step.x;
            end_stage[0][1][t] = r.origin.y + r.reach * r.step.y;
            end_stage[0][2][t] = r.origin.z + r.reach * r.step.z;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 32; first < rays; first += 32) {
            const float *p = xyz + (first + t) * 6;
            const ray r(vec3<float>(p[0], p[1], p[2]), vec3<float>(p[3], p[4], p[5]), reach[first + t]);
            compute_tile();
            stage ^= 1;
            end_stage[stage][0][t] = r.origin.x + r.reach * r.step.x;
            end_stage[stage][1][t] = r.origin.y + r.reach * r.step.y;
            end_stage[stage][2][t] = r.origin.z + r.reach * r.step.z;
            __syncthreads();
        }
        compute_tile();
    }
    nearest[t] = best;
    mean[t] = sum / fmaxf(rays, 1.f);
}
