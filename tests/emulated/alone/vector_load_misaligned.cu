// expect: 3 fault|out-of-bounds
// Rows of 33 floats are read by four.
// pipelinify: launch transpose_by_four
//   block 32
//   in:   in  [32 * 32]
//   out:  out [32 * 32]
__global__ void transpose_by_four(const float *in, float4 *out) {
  __shared__ float tile[32][33];
  for (int r = 0; r < 32; r++)
    tile[threadIdx.x][r] = in[r * 32 + threadIdx.x];
  __syncwarp();
  for (int c = 0; c < 8; c++)
    out[threadIdx.x * 8 + c] = *reinterpret_cast<float4 *>(&tile[threadIdx.x][4 * c]);
}
