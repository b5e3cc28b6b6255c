// Lennard-Jones forces with a cutoff radius: position tiles of float4, ragged tail skipped by a bounded inner loop.
#include <cuda_runtime.h>

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
    __shared__ float4 other_stage[2][LJ_THREADS];

    const unsigned tid = threadIdx.x;
    const unsigned me  = blockIdx.x * LJ_THREADS + tid;
    const float4   p   = pos[me < natoms ? me : 0u];

    float fx = 0.f, fy = 0.f, fz = 0.f, pe = 0.f;

    // pipelinify: ldg, 2 stages, source 7f09fb2c
    unsigned first = 0;
    unsigned int first_tile = first;
    if (first < natoms) {
        int stage = 0;
        auto compute_tile = [&]() {
            const unsigned cnt = natoms - first_tile < LJ_THREADS ? natoms - first_tile : LJ_THREADS;
            for (unsigned k = 0; k < cnt; ++k) {
                if (first_tile + k == me) continue;              // not with oneself
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
        };
        if (first + tid < natoms) other_stage[0][tid] = pos[first + tid];
        first += LJ_THREADS;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; first < natoms; first += LJ_THREADS) {
            float4 other_next;
            if (first + tid < natoms)
                other_next = pos[first + tid];
            compute_tile();
            first_tile += LJ_THREADS;
            stage ^= 1;
            if (first + tid < natoms)
                other_stage[stage][tid] = other_next;
            __syncthreads();
        }
        compute_tile();
    }

    if (me < natoms) force[me] = make_float4(fx, fy, fz, pe);
}
