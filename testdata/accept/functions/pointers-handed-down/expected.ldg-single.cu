// Three source pointers handed down a chain: what is loaded next was decided
// two iterations ago.
// pipelinify: launch chained_panels
//   sizes    panels=0,1,2,3,4,7
//   target   panels=2048
//   grid     2
//   block    32, 32
//   base:    in  [8192 + panels * 32 * 40] random
//   out:     out [2 * 32 * 32]
//   panels:  panels
//   pitch:   32
//   firstGap: 96
__global__ void chained_panels(const float *__restrict__ base,
                               float *__restrict__ out, int panels, int pitch,
                               int firstGap)
{
  __shared__ float panel[32][33];
  const int lx = threadIdx.x, ly = threadIdx.y;
  const float *p0 = base;
  const float *p1 = p0 + firstGap;
  const float *p2 = p1 + 3 * pitch;
  float s = 0.0f;

  // pipelinify: ldg-single, 1 stage, source f2a11811
  int i = 0;
  if (i < panels) {
    panel[ly][lx] = p0[ly * pitch + lx];
    p0 = p1;
    p1 = p2;
    p2 += 32 * pitch;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++i; i < panels; ++i) {
      float panel_next = p0[ly * pitch + lx];
      s += panel[lx][ly];
      __syncthreads();
      panel[ly][lx] = panel_next;
      p0 = p1;
      p1 = p2;
      p2 += 32 * pitch;
      __syncthreads();
    }
    s += panel[lx][ly];
  }
  out[(blockIdx.x * 32 + ly) * 32 + lx] = s;
}
