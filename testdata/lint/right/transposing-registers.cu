// A syrk whose next columns pass through four registers and are stored transposed.
#define T 16
__global__ void __launch_bounds__(64) syrk(const float4 *__restrict__ a, float *__restrict__ c, int n, int depth)
{
    __shared__ float left[2][T][T + 1];
    const int row = threadIdx.x / 4, quad = threadIdx.x % 4;
    float4 hand;
    float acc[4] = {};
    auto take = [&](int tile) { hand = a[(tile * T + row) * 4 + quad]; };
    auto put = [&](int half) {
        left[half][quad * 4 + 0][row] = hand.x;
        left[half][quad * 4 + 1][row] = hand.y;
        left[half][quad * 4 + 2][row] = hand.z;
        left[half][quad * 4 + 3][row] = hand.w;
    };
    const int tiles = depth / T;
    if (tiles > 0) {
        take(0);
        put(0);
    }
    __syncthreads();
    int half = 0;
    for (int tile = 1; tile <= tiles; ++tile, half ^= 1) {
        if (tile < tiles) take(tile);
#pragma unroll
        for (int k = 0; k < T; ++k)
            for (int j = 0; j < 4; ++j)
                acc[j] += left[half][k][row] * left[half][k][quad * 4 + j];
        if (tile < tiles) put(half ^ 1);
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j) c[row * n + quad * 4 + j] = acc[j];
}
