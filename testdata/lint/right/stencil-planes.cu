// A ring of four planes: three are read while the next one is stored.
#define NX 16
#define NY 8
__global__ void lap3(const float *in, float *out, int nz)
{
    __shared__ float plane[4][NY][NX];
    const int x = threadIdx.x, y = threadIdx.y, area = NX * NY, at = y * NX + x;
    plane[0][y][x] = in[at];
    plane[1][y][x] = in[area + at];
    for (int z = 1; z < nz - 1; ++z) {
        plane[(z + 1) & 3][y][x] = in[(z + 1) * area + at];
        __syncthreads();
        float c = plane[z & 3][y][x];
        float s = plane[(z - 1) & 3][y][x] + plane[(z + 1) & 3][y][x];
        s += plane[z & 3][y][x ? x - 1 : x] + plane[z & 3][y][x < NX - 1 ? x + 1 : x];
        s += plane[z & 3][y ? y - 1 : y][x] + plane[z & 3][y < NY - 1 ? y + 1 : y][x];
        out[z * area + at] = s - 6 * c;
    }
}

// pipelinify: launch lap3
//   sizes  nz=2,3,4,5,9
//   target nz=64
//   grid   1
//   block  16, 8
//   in:    in  [nz * 128]
//   out:   out [nz * 128]
//   nz:    nz
