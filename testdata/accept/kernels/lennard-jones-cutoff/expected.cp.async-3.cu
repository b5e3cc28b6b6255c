// Lennard-Jones forces with a cutoff radius: position tiles of float4, ragged tail skipped by a bounded inner loop.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#ifndef LJ_THREADS
#define LJ_THREADS 64
#endif

struct LjParams; // host side only

// pipelinify: launch lj_force
//   sizes    natoms=1,63,64,65,128,192,200,256,320,450
//   target   natoms=32768
//   grid     (natoms + 63) / 64
//   block    64
//   pos:     in  [natoms] range(-2, 2)
//   force:   out [natoms]
//   epsilon: 1.0
//   sigma6:  0.015625
//   rcut2:   2.25
//   natoms:  natoms
//   work     flops 24 * natoms * natoms
__global__ void
lj_force(const float4* __restrict__ pos, float4* __restrict__ force,
         float epsilon, float sigma6, float rcut2, unsigned natoms)
{
    constexpr int stages = 3;
    __shared__ float4 other_stage[stages][LJ_THREADS];

    const unsigned tid = threadIdx.x;
    const unsigned me  = blockIdx.x * LJ_THREADS + tid;
    const float4   p   = pos[me < natoms ? me : 0u];

    float fx = 0.f, fy = 0.f, fz = 0.f, pe = 0.f;

    // pipelinify: cp.async, 3 stages, source 7f09fb2c
    unsigned first_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < natoms) {
            if (first_load + tid < natoms)
                __pipeline_memcpy_async(&other_stage[load_stage][tid], &pos[first_load + tid], sizeof(float4));
            first_load += LJ_THREADS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned first = 0; first < natoms; first += LJ_THREADS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        const unsigned cnt = natoms - first < LJ_THREADS ? natoms - first : LJ_THREADS;
        for (unsigned k = 0; k < cnt; ++k) {
            if (first + k == me) continue;              // not with oneself
            const float dx = p.x - other_stage[stage][k].x;
            const float dy = p.y - other_stage[stage][k].y;
            const float dz = p.z - other_stage[stage][k].z;
            const float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= rcut2 || r2 < 1e-3f) continue;    // outside of the cutoff
            const float inv2 = 1.f / r2;
            const float s6   = sigma6 * inv2 * inv2 * inv2;
            const float ff   = 24.f * epsilon * inv2 * s6 * (2.f * s6 - 1.f);
            fx += ff * dx;
            fy += ff * dy;
            fz += ff * dz;
            pe += 2.f * epsilon * s6 * (s6 - 1.f);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (me < natoms) force[me] = make_float4(fx, fy, fz, pe);
}
