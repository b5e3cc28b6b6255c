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
  __shared__ float panel_stage[2][32][33];
  const int lx = threadIdx.x, ly = threadIdx.y;
  const float *p0 = base;
  const float *p1 = p0 + firstGap;
  const float *p2 = p1 + 3 * pitch;
  float s = 0.0f;

  // pipelinify: ldg, 2 stages, source f2a11811
  {
    int i = 0;
    if (i < panels) {
      // Computes on the tile in a stage.
      auto compute_tile = [&](int stage) {
        auto &panel = panel_stage[stage];
        s += panel[lx][ly];
      };

      // Prologue: load the first tile.
      {
        auto &panel = panel_stage[0];
        panel[ly][lx] = p0[ly * pitch + lx];
        p0 = p1;
        p1 = p2;
        p2 += 32 * pitch;
      }
      ++i;
      __syncthreads();

      // Main loop: fetch the next tile while computing on this one.
      int stage = 0;
      for (; i < panels; ++i) {
        float panel_next = p0[ly * pitch + lx];
        compute_tile(stage);
        stage ^= 1;
        {
          auto &panel = panel_stage[stage];
          panel[ly][lx] = panel_next;
        }
        p0 = p1;
        p1 = p2;
        p2 += 32 * pitch;
        __syncthreads();
      }

      // Epilogue: compute on the last tile.
      compute_tile(stage);
    }
  }
  out[(blockIdx.x * 32 + ly) * 32 + lx] = s;
}
