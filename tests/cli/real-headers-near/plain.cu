#include "net/view.h"
#include "net/side.h"
#include <other/lost.h>
__global__ void copied(view<const float> in, view<float> out, int n) {
  for (int i = threadIdx.x; i < n; i += SIDE)
    out[i] = in[i];
}
__global__ void told(const other::table in, float *out) { out[0] = in.first; }
