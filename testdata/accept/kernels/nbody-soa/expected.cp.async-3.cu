// N-body velocities with separate x, y, z and mass arrays, a zero-mass fill for the ragged last tile.
#include <math.h>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float sx_stage[stages][TPB];
  __shared__ float sy_stage[stages][TPB];
  __shared__ float sz_stage[stages][TPB];
  __shared__ float sm_stage[stages][TPB];

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int self = i < n ? i : n - 1;
  const float xi = px[self], yi = py[self], zi = pz[self];
  float ax = 0.f, ay = 0.f, az = 0.f;

  // pipelinify: cp.async, 3 stages, source c3282565
  int base_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (base_load < n) {
      const int j = base_load + threadIdx.x;
      if (j < n) {
        __pipeline_memcpy_async(&sx_stage[load_stage][threadIdx.x], &px[j], sizeof(float));
        __pipeline_memcpy_async(&sy_stage[load_stage][threadIdx.x], &py[j], sizeof(float));
        __pipeline_memcpy_async(&sz_stage[load_stage][threadIdx.x], &pz[j], sizeof(float));
        __pipeline_memcpy_async(&sm_stage[load_stage][threadIdx.x], &mass[j], sizeof(float));
      } else {
        sx_stage[load_stage][threadIdx.x] = 0.f;
        sy_stage[load_stage][threadIdx.x] = 0.f;
        sz_stage[load_stage][threadIdx.x] = 0.f;
        sm_stage[load_stage][threadIdx.x] = 0.f;  // massless: no contribution
      }
      base_load += TPB;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int base = 0; base < n; base += TPB) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);

    for (int k = 0; k < TPB; ++k) {
      const float dx = sx_stage[stage][k] - xi, dy = sy_stage[stage][k] - yi, dz = sz_stage[stage][k] - zi;
      const float d2 = dx * dx + dy * dy + dz * dz + eps2;
      const float w = sm_stage[stage][k] / (d2 * sqrtf(d2));
      ax += dx * w;
      ay += dy * w;
      az += dz * w;
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  if (i < n) {
    vx[i] += ax * dt;
    vy[i] += ay * dt;
    vz[i] += az * dt;
  }
}
