// One object knows where the rows are and keeps what has been seen of them: compute changes
// members that the loads do not read.
#include <cuda_runtime.h>

namespace ranges {

constexpr int LANES = 96;

class Extremes {
public:
  __device__ Extremes(const short *samples, int width)
      : samples_(samples), width_(width), lane_(threadIdx.x), low_(32767), high_(-32768) {}

  __device__ short sample(int row) const {
    return lane_ < width_ ? samples_[(size_t)row * width_ + lane_] : (short)0;
  }

  __device__ void fold(const short (&row)[LANES]) {
    for (int i = 0; i < LANES; ++i) {
      const int turned = row[i] ^ lane_;
      low_ = turned < low_ ? turned : low_;
      high_ = turned > high_ ? turned : high_;
    }
  }

  __device__ int2 both() const { return make_int2(low_, high_); }

private:
  const short *samples_;
  int width_, lane_;
  int low_, high_;
};

} // namespace ranges

// pipelinify: launch extremes
//   sizes    blocks=1,3 rows=0,1,2,3,5,8 width=96,95,1
//   target   blocks=4096 rows=512 width=96
//   grid     blocks
//   block    96
//   samples: in  [rows * width] range(-3000, 3000)
//   out:     out [blocks * 96 * 2]
//   rows:    rows
//   width:   width
__global__ void extremes(const short *__restrict__ samples, int2 *__restrict__ out, int rows,
                         int width)
{
  __shared__ short row[ranges::LANES];
  ranges::Extremes seen(samples, width);
  // pipelinify: ldg-single, 1 stage, source e39a48bb
  int r = 0;
  if (r < rows) {
    row[threadIdx.x] = seen.sample(r);
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++r; r < rows; ++r) {
      short row_next = seen.sample(r);
      seen.fold(row);
      __syncthreads();
      row[threadIdx.x] = row_next;
      __syncthreads();
    }
    seen.fold(row);
  }
  out[blockIdx.x * ranges::LANES + threadIdx.x] = seen.both();
}
