// Ported from OpenCL: a macro stages one number by way of two others, and the arguments it hands on name a size.
#include <cuda_runtime.h>
#define WG 16
#define LOCAL __shared__
#define BARRIER() __syncthreads()
#define GET_LOCAL_ID(d) (d ? threadIdx.y : threadIdx.x)
#define IDX(r, c, ld) ((r) * (ld) + (c))
#define STAGE(dst, src, r, c, ld) dst[GET_LOCAL_ID(1)][GET_LOCAL_ID(0)] = src[IDX(r, c, ld)]
#define FOR_TILES(t, n) for (int t = 0; t < (n); ++t)
__global__ void mm(const float *a, const float *b, float *c, int n)
{
  LOCAL float ta[WG][WG];
  LOCAL float tb[WG][WG];
  const int ly = GET_LOCAL_ID(1), lx = GET_LOCAL_ID(0);
  const int gy = blockIdx.y * WG + ly, gx = blockIdx.x * WG + lx;
  float s = 0;
  // pipelinify: ldg-single, 1 stage, source 8fada742
  {
    int t = 0;
    if (t < (n / WG)) {
      ta[GET_LOCAL_ID(1)][GET_LOCAL_ID(0)] = a[IDX(gy, t * WG + lx, n)];
      tb[GET_LOCAL_ID(1)][GET_LOCAL_ID(0)] = b[IDX(t * WG + ly, gx, n)];
      BARRIER();
      // Main loop: fetch the next tile while computing on this one.
      for (++t; t < (n / WG); ++t) {
        float ta_next = a[IDX(gy, t * WG + lx, n)];
        float tb_next = b[IDX(t * WG + ly, gx, n)];
        for (int k = 0; k < WG; ++k) s += ta[ly][k] * tb[k][lx];
        BARRIER();
        ta[GET_LOCAL_ID(1)][GET_LOCAL_ID(0)] = ta_next;
        tb[GET_LOCAL_ID(1)][GET_LOCAL_ID(0)] = tb_next;
        BARRIER();
      }
      for (int k = 0; k < WG; ++k) s += ta[ly][k] * tb[k][lx];
    }
  }
  c[IDX(gy, gx, n)] = s;
}
// pipelinify: launch mm
//   sizes n=16,32,48,80,96
//   target n=4096
//   grid n / 16, n / 16
//   block 16, 16
//   a: in [n * n]
//   b: in [n * n]
//   c: out [n * n]
//   n: n
