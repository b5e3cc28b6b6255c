// Temporal difference: a thread looks at its own cell before it overwrites it.
__global__ void frame_motion(const unsigned char *__restrict__ video,
                             unsigned *__restrict__ motion, int frames, int stride)
{
    __shared__ unsigned char px[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const int at = (blockIdx.y * 16 + y) * stride + blockIdx.x * 16 + x;
    unsigned moved = 0;

    px[y][x] = 0;
    for (int f = 0; f < frames; ++f) {
        const unsigned char now = video[(size_t)f * stride * stride + at];
        const int diff = int(now) - int(px[y][x]);
        px[y][x] = now;
        __syncthreads();
        moved += abs(diff) + (px[x][y] > 128);
        __syncthreads();
    }
    motion[at] = moved;
}
