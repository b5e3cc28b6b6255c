#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// All pairs of a fluid, the potential a policy: which operator() is called hangs on
// the template's argument. The arguments are named as in the kernel's namespace.
namespace fluid {

using real = float;

struct LennardJones {
    real epsilon, sigma2;
    __device__ real operator()(real r2) const
    {
        real q = sigma2 / (r2 + 0.01f);
        q = q * q * q;
        return 4 * epsilon * (q * q - q);
    }
};

struct Yukawa {
    real strength, kappa;
    __device__ real operator()(real r2) const
    {
        const real r = sqrtf(r2 + 0.01f);
        return strength * expf(-kappa * r) / r;
    }
};

constexpr int lanes = 32;

// pipelinify: launch fluid::energy<fluid::LennardJones>
//   sizes    n=1,31,32,33,64,96,100,200
//   target   n=32768
//   grid     (n + 31) / 32
//   block    32
//   x:       in  [n]
//   y:       in  [n]
//   z:       in  [n]
//   e:       out [n]
//   n:       n
//   a:       0.25
//   b:       0.5
// pipelinify: launch fluid::energy<fluid::Yukawa>
//   sizes    n=1,31,32,33,64,96,100,200
//   target   n=32768
//   grid     (n + 31) / 32
//   block    32
//   x:       in  [n]
//   y:       in  [n]
//   z:       in  [n]
//   e:       out [n]
//   n:       n
//   a:       0.25
//   b:       0.5
template <class Potential>
__global__ void energy(const real *__restrict__ x, const real *__restrict__ y,
                       const real *__restrict__ z, real *__restrict__ e, int n, real a, real b)
{
    constexpr int stages = 3;
    __shared__ real xs_stage[stages][lanes], ys_stage[stages][lanes], zs_stage[stages][lanes];
    const Potential potential{a, b};
    const int i = blockIdx.x * lanes + threadIdx.x;
    const int mine = min(i, n - 1);
    const real xi = x[mine], yi = y[mine], zi = z[mine];
    real sum = 0;
    // pipelinify: cp.async, 3 stages, source e09e47d5
    static_assert(__is_same(Potential, fluid::LennardJones) ||
                  __is_same(Potential, fluid::Yukawa),
                  "pipelined for this Potential alone: run pipelinify again for another");
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            const int j = min(first_load + static_cast<int>(threadIdx.x), n - 1);
            __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.x], &x[j], sizeof(real));
            __pipeline_memcpy_async(&ys_stage[load_stage][threadIdx.x], &y[j], sizeof(real));
            __pipeline_memcpy_async(&zs_stage[load_stage][threadIdx.x], &z[j], sizeof(real));
            first_load += lanes;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = 0; first < n; first += lanes) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int m = min(lanes, n - first);
        for (int k = 0; k < m; ++k) {
            const real dx = xs_stage[stage][k] - xi, dy = ys_stage[stage][k] - yi, dz = zs_stage[stage][k] - zi;
            if (first + k != i)
                sum += potential(dx * dx + dy * dy + dz * dz);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (i < n)
        e[i] = sum;
}

template __global__ void energy<LennardJones>(const real *, const real *, const real *, real *, int, real, real);
template __global__ void energy<Yukawa>(const real *, const real *, const real *, real *, int, real, real);

}
