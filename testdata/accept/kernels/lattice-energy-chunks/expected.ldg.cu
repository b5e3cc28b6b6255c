// Coulombic potential on a lattice, and on a plane of any block shape; atoms come in
// chunks that rows of threads load.
#include <cuda_runtime.h>
#include <math.h>

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
    // pipelinify: ldg, 2 stages, source aa89e745
    start = 0;
    int start_tile = start;
    if (start < numatoms) {
        int stage = 0;
        auto compute_tile = [&]() {
            auto &atoms = atoms_stage[stage];
            int runatoms = numatoms - start_tile;
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
        };
        {
            int runatoms = numatoms - start;
            if (runatoms > MAXATOMS)
                runatoms = MAXATOMS;
            if (lid < runatoms)
                atoms_stage[0][lid] = atominfo[start + lid];
        }
        start += MAXATOMS;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; start < numatoms; start += MAXATOMS) {
            float4 atoms_next;
            int runatoms = numatoms - start;
            if (runatoms > MAXATOMS)
                runatoms = MAXATOMS;
            if (lid < runatoms)
                atoms_next = atominfo[start + lid];
            compute_tile();
            start_tile += MAXATOMS;
            stage ^= 1;
            if (lid < runatoms)
                atoms_stage[stage][lid] = atoms_next;
            __syncthreads();
        }
        compute_tile();
    }

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

    // pipelinify: ldg, 2 stages, source 94eb6c9b
    int first = 0, first_tile = first, stage = 0;
    if (first < natoms) {
        auto compute_tile = [&]() {
            auto &chunk = chunk_stage[stage];
            const int count = natoms - first_tile < MAXATOMS ? natoms - first_tile : MAXATOMS;
            for (int i = 0; i < count; ++i) {
                const float dx = spacing * x - chunk[i].x, dy = spacing * y - chunk[i].y;
                sum += chunk[i].w * rsqrtf(dx * dx + dy * dy + chunk[i].z * chunk[i].z + 0.01f);
            }
        };
        if (tid < MAXATOMS && first + tid < natoms)
            chunk_stage[0][tid] = atoms[first + tid];
        first += MAXATOMS;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; first < natoms; first += MAXATOMS) {
            float4 chunk_next;
            if (tid < MAXATOMS && first + tid < natoms)
                chunk_next = atoms[first + tid];
            compute_tile();
            first_tile += MAXATOMS;
            stage ^= 1;
            if (tid < MAXATOMS && first + tid < natoms)
                chunk_stage[stage][tid] = chunk_next;
            __syncthreads();
        }
        compute_tile();
    }
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
