// A number that a build may give chooses the type of the elements. The text that is made
// of this one takes them for floats, which are not volatile, and stops where they are not.
#ifndef WATCHED
#define WATCHED 0
#endif
#define TYPE_OF(watched) Chosen<watched>::type

template <int> struct Chosen { typedef float type; };
template <> struct Chosen<1> { typedef volatile float type; };
template <int N> struct Gains { float of[N]; };

typedef TYPE_OF(WATCHED) element;
constexpr int taps = WATCHED ? 8 : 4;

// pipelinify: launch filtered
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void filtered(const element *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ element part[64];
    const Gains<taps> gains = {{1.0f, 0.5f, 0.25f, 0.125f}};
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source f4c16a55
    static_assert(__is_same(element, float),
                  "pipelined for this element alone: run pipelinify again for another");
    int tile = 0;
    if (tile < tiles) {
        part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            element part_next = from[tile * 64 + threadIdx.x];
            for (int tap = 0; tap < taps; ++tap)
                sum += part[(threadIdx.x + tap) % 64] * gains.of[tap];
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int tap = 0; tap < taps; ++tap)
            sum += part[(threadIdx.x + tap) % 64] * gains.of[tap];
    }
    to[threadIdx.x] = sum;
}
