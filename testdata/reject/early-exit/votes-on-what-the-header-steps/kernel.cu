// A vote at the end is one at the head of the next tile where that asks the same: not where the
// header steps what it asks, nor where the counter is seen behind the loop.
__global__ void asks_counter(const int *__restrict__ hay, int *__restrict__ hit, int n)
{
    __shared__ int s[256];
    int at = -1;
    for (int b = 0; b < n; b += 256) {
        s[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : -1;
        __syncthreads();
        for (int j = 0; j < 256; ++j)
            if (s[j] == threadIdx.x) at = b + j;
        if (__syncthreads_and(at >= b)) break;
    }
    hit[threadIdx.x] = at;
}

__global__ void counter_outside(const int *__restrict__ hay, int *__restrict__ hit, int n)
{
    __shared__ int s[256];
    int at = -1, b = 0;
    for (; b < n; b += 256) {
        s[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : -1;
        __syncthreads();
        for (int j = 0; j < 256 && at < 0; ++j)
            if (s[j] == threadIdx.x) at = b + j;
        if (__syncthreads_and(at >= 0)) break;
    }
    hit[threadIdx.x] = at + b;
}

// The loads step the counter before the vote is asked.
__global__ void stepped_in_the_body(const int *__restrict__ hay, int *__restrict__ hit, int n)
{
    __shared__ int s[256];
    int at = -1, b = 0;
    while (b < n) {
        s[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : -1;
        __syncthreads();
        for (int j = 0; j < 256; ++j)
            if (s[j] == threadIdx.x) at = b + j;
        b += 256;
        if (__syncthreads_and(at + 512 >= b)) break;
    }
    hit[threadIdx.x] = at;
}

__global__ void counter_seen_behind(const int *__restrict__ hay, int *__restrict__ hit, int n)
{
    __shared__ int s[256];
    int at = -1, b = 0;
    while (b < n) {
        s[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : -1;
        __syncthreads();
        for (int j = 0; j < 256 && at < 0; ++j)
            if (s[j] == threadIdx.x) at = b + j;
        b += 256;
        if (__syncthreads_and(at >= 0)) break;
    }
    hit[threadIdx.x] = at + b;
}

// It does more than to leave.
__global__ void stores_where_it_leaves(const int *__restrict__ hay, int *__restrict__ hit, int n)
{
    __shared__ int s[256];
    int at = -1;
    for (int b = 0; b < n; b += 256) {
        s[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : -1;
        __syncthreads();
        for (int j = 0; j < 256 && at < 0; ++j)
            if (s[j] == threadIdx.x) at = b + j;
        if (__syncthreads_and(at >= 0)) {
            hit[256] = b;
            break;
        }
    }
    hit[threadIdx.x] = at;
}

// A tile that is skipped has no vote.
__global__ void skips_the_vote(const int *__restrict__ hay, const int *__restrict__ of, int *__restrict__ hit, int n)
{
    __shared__ int s[256];
    int at = -1;
    for (int b = 0; b < n; b += 256) {
        s[threadIdx.x] = b + threadIdx.x < n ? hay[b + threadIdx.x] : -1;
        __syncthreads();
        for (int j = 0; j < 256 && at < 0; ++j)
            if (s[j] == threadIdx.x) at = b + j;
        if (of[b]) {
            __syncthreads();
            continue;
        }
        if (__syncthreads_and(at >= 0)) break;
    }
    hit[threadIdx.x] = at;
}
