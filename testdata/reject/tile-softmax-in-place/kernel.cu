#include <math.h>
#define HD 64

// One thread a row of the score tile; exponentials replace the scores.
__global__ void softmax_rows(const float *__restrict__ S, const float *__restrict__ V,
                             float *__restrict__ O, int tiles)
{
    __shared__ float s[HD][HD + 1];
    __shared__ float v[HD];
    const int t = threadIdx.x;
    float m = -INFINITY, l = 0.f, o = 0.f;

    for (int tile = 0; tile < tiles; ++tile) {
        for (int r = 0; r < HD; ++r)
            s[r][t] = S[(size_t)(blockIdx.x * HD + r) * tiles * HD + tile * HD + t];
        v[t] = V[tile * HD + t];
        __syncthreads();

        float mNew = m;
        for (int j = 0; j < HD; ++j) mNew = fmaxf(mNew, s[t][j]);
        for (int j = 0; j < HD; ++j) s[t][j] = expf(s[t][j] - mNew);
        const float fix = expf(m - mNew);
        l *= fix;
        o *= fix;
        for (int j = 0; j < HD; ++j) {
            l += s[t][j];
            o += s[t][j] * v[j];
        }
        m = mNew;
        __syncthreads();
    }
    O[blockIdx.x * HD + t] = o / l;
}
