// N-body velocities with separate x, y, z and mass arrays, a zero-mass fill for the ragged last tile.
#include <math.h>

const int TPB = 128;

// pipelinify: launch update_velocity
//   sizes  n=1,100,128,129,256,300,384,500,640
//   target n=65536
//   grid   (n + 127) / 128
//   block  128
//   px:    in [n] random
//   py:    in [n] random
//   pz:    in [n] random
//   mass:  in [n] range(0.1, 2)
//   vx:    inout [n] random
//   vy:    inout [n] random
//   vz:    inout [n] random
//   dt:    0.01
//   eps2:  0.001
//   n:     n
//   work   flops 20 * n * n
__global__ void update_velocity(const float* __restrict__ px, const float* __restrict__ py,
                                const float* __restrict__ pz, const float* __restrict__ mass,
                                float* vx, float* vy, float* vz,
                                float dt, float eps2, int n) {
  __shared__ float sx_stage[2][TPB];
  __shared__ float sy_stage[2][TPB];
  __shared__ float sz_stage[2][TPB];
  __shared__ float sm_stage[2][TPB];

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int self = i < n ? i : n - 1;
  const float xi = px[self], yi = py[self], zi = pz[self];
  float ax = 0.f, ay = 0.f, az = 0.f;

  // pipelinify: ldg, 2 stages, source c3282565
  int base = 0, stage = 0;
  if (base < n) {
    auto compute_tile = [&]() {
      for (int k = 0; k < TPB; ++k) {
        const float dx = sx_stage[stage][k] - xi, dy = sy_stage[stage][k] - yi, dz = sz_stage[stage][k] - zi;
        const float d2 = dx * dx + dy * dy + dz * dz + eps2;
        const float w = sm_stage[stage][k] / (d2 * sqrtf(d2));
        ax += dx * w;
        ay += dy * w;
        az += dz * w;
      }
    };
    {
      const int j = base + threadIdx.x;
      if (j < n) {
        sx_stage[0][threadIdx.x] = px[j];
        sy_stage[0][threadIdx.x] = py[j];
        sz_stage[0][threadIdx.x] = pz[j];
        sm_stage[0][threadIdx.x] = mass[j];
      } else {
        sx_stage[0][threadIdx.x] = 0.f;
        sy_stage[0][threadIdx.x] = 0.f;
        sz_stage[0][threadIdx.x] = 0.f;
        sm_stage[0][threadIdx.x] = 0.f;   // massless: no contribution
      }
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (base += TPB; base < n; base += TPB) {
      float sx_next;
      float sy_next;
      float sz_next;
      float sm_next;
      const int j = base + threadIdx.x;
      if (j < n) {
        sx_next = px[j];
        sy_next = py[j];
        sz_next = pz[j];
        sm_next = mass[j];
      }
      compute_tile();
      stage ^= 1;
      if (j < n) {
        sx_stage[stage][threadIdx.x] = sx_next;
        sy_stage[stage][threadIdx.x] = sy_next;
        sz_stage[stage][threadIdx.x] = sz_next;
        sm_stage[stage][threadIdx.x] = sm_next;
      } else {
        sx_stage[stage][threadIdx.x] = 0.f;
        sy_stage[stage][threadIdx.x] = 0.f;
        sz_stage[stage][threadIdx.x] = 0.f;
        sm_stage[stage][threadIdx.x] = 0.f;
      }
      __syncthreads();
    }
    compute_tile();
  }

  if (i < n) {
    vx[i] += ax * dt;
    vy[i] += ay * dt;
    vz[i] += az * dt;
  }
}
