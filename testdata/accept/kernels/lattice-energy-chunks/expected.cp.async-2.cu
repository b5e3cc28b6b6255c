// Coulombic potential on a lattice, and on a plane of any block shape; atoms come in
// chunks that rows of threads load.
#include <cuda_runtime.h>
#include <math.h>
#include <cuda_pipeline.h>

#define BLOCKSIZEX 16
#define BLOCKSIZEY 8
#define UNROLLX 4
#define MAXATOMS 128

__global__ void cenergy(int numatoms, float gridspacing, float *energygrid, const float4 *atominfo, int pitch)
{
    __shared__ float4 atoms_stage[2][MAXATOMS];

    unsigned int xindex = __umul24(blockIdx.x, blockDim.x) * UNROLLX + threadIdx.x;
    unsigned int yindex = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
    unsigned int outaddr = pitch * yindex + xindex;
    unsigned int lid = threadIdx.y * BLOCKSIZEX + threadIdx.x;

    float coory = gridspacing * yindex;
    float coorx = gridspacing * xindex;

    float energyvalx1 = 0.0f;
    float energyvalx2 = 0.0f;
    float energyvalx3 = 0.0f;
    float energyvalx4 = 0.0f;
    float gridspacing_u = gridspacing * BLOCKSIZEX;

    int atomid, start;
    // pipelinify: cp.async, 2 stages, source aa89e745
    start = 0;
    int start_load = start;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (start_load < numatoms) {
            int runatoms = numatoms - start_load;
            if (runatoms > MAXATOMS)
                runatoms = MAXATOMS;
            if (lid < runatoms)
                __pipeline_memcpy_async(&atoms_stage[load_stage][lid], &atominfo[start_load + lid], sizeof(float4));
            start_load += MAXATOMS;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (; start < numatoms; start += MAXATOMS) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        auto &atoms = atoms_stage[stage];
        int runatoms = numatoms - start;
        if (runatoms > MAXATOMS)
            runatoms = MAXATOMS;

        for (atomid = 0; atomid < runatoms; atomid++) {
            float dy = coory - atoms[atomid].y;
            float dyz2 = (dy * dy) + atoms[atomid].z;

            float dx1 = coorx - atoms[atomid].x;
            float dx2 = dx1 + gridspacing_u;
            float dx3 = dx2 + gridspacing_u;
            float dx4 = dx3 + gridspacing_u;

            energyvalx1 += atoms[atomid].w * rsqrtf(dx1 * dx1 + fabsf(dyz2) + 0.01f);
            energyvalx2 += atoms[atomid].w * rsqrtf(dx2 * dx2 + fabsf(dyz2) + 0.01f);
            energyvalx3 += atoms[atomid].w * rsqrtf(dx3 * dx3 + fabsf(dyz2) + 0.01f);
            energyvalx4 += atoms[atomid].w * rsqrtf(dx4 * dx4 + fabsf(dyz2) + 0.01f);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    energygrid[outaddr                 ] += energyvalx1;
    energygrid[outaddr + 1 * BLOCKSIZEX] += energyvalx2;
    energygrid[outaddr + 2 * BLOCKSIZEX] += energyvalx3;
    energygrid[outaddr + 3 * BLOCKSIZEX] += energyvalx4;
}

// pipelinify: launch cenergy
//   sizes n=0,1,127,128,129,300,512,640,700
//   target n=65536
//   grid 1, 2
//   block 16, 8
//   numatoms: n
//   gridspacing: 0.1
//   energygrid: inout [64 * 16]
//   atominfo: in [n + 1]
//   pitch: 64

__global__ void plane_potential(const float4 *__restrict__ atoms, float *__restrict__ plane, int natoms, int width,
                                float spacing)
{
    __shared__ float4 chunk_stage[2][MAXATOMS];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source 94eb6c9b
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < natoms) {
            if (tid < MAXATOMS && first_load + tid < natoms)
                __pipeline_memcpy_async(&chunk_stage[load_stage][tid], &atoms[first_load + tid], sizeof(float4));
            first_load += MAXATOMS;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int first = 0; first < natoms; first += MAXATOMS) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        auto &chunk = chunk_stage[stage];
        const int count = natoms - first < MAXATOMS ? natoms - first : MAXATOMS;
        for (int i = 0; i < count; ++i) {
            const float dx = spacing * x - chunk[i].x, dy = spacing * y - chunk[i].y;
            sum += chunk[i].w * rsqrtf(dx * dx + dy * dy + chunk[i].z * chunk[i].z + 0.01f);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    plane[y * width + x] += sum;
}

// pipelinify: launch plane_potential
//   sizes n=0,1,128,129,300,512,640,700
//   target n=65536
//   grid 2, 1
//   block 16, 8
//   atoms: in [n + 1]
//   plane: inout [32 * 8]
//   natoms: n
//   width: 32
//   spacing: 0.1
