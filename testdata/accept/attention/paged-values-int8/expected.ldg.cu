// Values of a cache in pages: a page's number is loaded, its int8 values are scaled by the page's own scale,
// its positions are copied as they are. Page number and scale are loaded once a tile, at the loop's own level.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int PAGE = 16;
constexpr int WIDTH = 64;

// pipelinify: launch weigh_pages
//   sizes     sequences=1 pages=0,1,2,3,5,8
//   sizes     sequences=3 pages=4
//   let       stored = 9
//   target    sequences=512 pages=256
//   grid      sequences
//   block     64
//   table:    in  [sequences * pages] below(9)
//   values:   in  [stored * 16 * 64] random
//   scales:   in  [stored] range(0.01, 0.1)
//   position: in  [stored * 16] random
//   out:      out [sequences * 64]
//   pages:    pages
//   decay:    0.125
//   work      flops 4 * sequences * pages * 1024
__global__ void weigh_pages(const int *__restrict__ table, const int8_t *__restrict__ values,
                            const float *__restrict__ scales, const float *__restrict__ position,
                            float *__restrict__ out, int pages, float decay)
{
    __shared__ float v_stage[2][PAGE][WIDTH];
    __shared__ __align__(16) float where_stage[2][PAGE];
    const int t = threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source 36a5ff32
    int p = 0, stage = 0;
    if (p < pages) {
        {
            const int page = table[blockIdx.x * pages + p];
            const float scale = scales[page];
            const int8_t *from = values + page * PAGE * WIDTH;
            if (t < PAGE / 4)
                reinterpret_cast<float4 *>(where_stage[0])[t] =
                    reinterpret_cast<const float4 *>(position + page * PAGE)[t];
            #pragma unroll
            for (int r = 0; r < PAGE; ++r)
                v_stage[0][r][t] = from[r * WIDTH + t] * scale;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++p; p < pages; ++p) {
            float4 where_next;
            int8_t v_next[PAGE];
            const int page = table[blockIdx.x * pages + p];
            const float scale = scales[page];
            const int8_t *from = values + page * PAGE * WIDTH;
            if (t < PAGE / 4)
                where_next = reinterpret_cast<const float4 *>(position + page * PAGE)[t];
            #pragma unroll
            for (int r = 0; r < PAGE; ++r)
                v_next[r] = from[r * WIDTH + t];

            for (int r = 0; r < PAGE; ++r)
                sum += v_stage[stage][r][t] * (1.0f - decay * where_stage[stage][r]);
            stage ^= 1;
            if (t < PAGE / 4)
                reinterpret_cast<float4 *>(where_stage[stage])[t] = where_next;
            #pragma unroll
            for (int r = 0; r < PAGE; ++r)
                v_stage[stage][r][t] = v_next[r] * scale;
            __syncthreads();
        }
        for (int r = 0; r < PAGE; ++r)
            sum += v_stage[stage][r][t] * (1.0f - decay * where_stage[stage][r]);
    }
    out[blockIdx.x * WIDTH + t] = sum;
}
