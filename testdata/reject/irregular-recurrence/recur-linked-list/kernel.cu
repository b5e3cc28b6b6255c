// Paged KV cache kept as a linked list of pages.
template <typename scalar_t, int PAGE, int HEAD>
__global__ void paged_scores(const scalar_t *__restrict__ keys,
                             const int *__restrict__ next_page,
                             const scalar_t *__restrict__ query,
                             float *__restrict__ partial, int first_page)
{
    __shared__ scalar_t page_tile[PAGE * HEAD];
    __shared__ scalar_t q[HEAD];
    const int tid = threadIdx.x;
    if (tid < HEAD) q[tid] = query[blockIdx.x * HEAD + tid];
    float best = -1e30f;

    for (int page = first_page; page >= 0; page = next_page[page]) {
#pragma unroll
        for (int i = 0; i < HEAD; ++i)
            page_tile[i * PAGE + tid] = keys[(page * HEAD + i) * PAGE + tid];
        __syncthreads();
        float s = 0.f;
        for (int i = 0; i < HEAD; ++i)
            s += float(page_tile[((tid + 1) % PAGE) + i * PAGE]) * float(q[i]);
        best = fmaxf(best, s);
        __syncthreads();
    }
    partial[blockIdx.x * PAGE + tid] = best;
}

template __global__ void paged_scores<float, 64, 16>(const float *, const int *,
                                                     const float *, float *, int);
