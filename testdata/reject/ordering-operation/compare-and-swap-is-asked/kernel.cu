// What a loop of compare-and-swap finds is taken, or it is no loop that only meets others.
__device__ int log_of_all[1024];

__global__ void as_all_others(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void takes_a_lock(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old;
        do {
            old = atomicCAS(sums, 0, 1);
        } while (old != 0);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void waits_for_a_turn(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen = t;
        do {
            old = t;
            old = atomicCAS(sums, seen, old + 1);
        } while (old != seen);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void keeps_what_it_saw(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        kept = old;
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void keeps_it_by_another_name(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen, last = 0;
        do {
            seen = old;
            last = seen;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        kept += last;
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void writes_it_down(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            log_of_all[t] = seen;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void compares_with_more(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            seen += 1;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void changes_it_behind(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            old = atomicCAS(sums, seen, seen + sum);
            old |= t;
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void asks_for_equal(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen == old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void goes_round_early(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen = 0;
        do {
            seen = old;
            if (seen < t)
                continue;
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__device__ int add_and_tell(int *at, int value)
{
    int old = *at, seen;
    do {
        seen = old;
        old = atomicCAS(at, seen, seen + value);
    } while (seen != old);
    return old;
}

__global__ void takes_what_is_told(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        kept += add_and_tell(sums, sum);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__device__ void add_unless_done(int *at, int value)
{
    int old = *at, seen;
    do {
        seen = old;
        old = atomicCAS(at, seen, seen + value);
    } while (seen != old);
    if (old < 0)
        *at = 0;
}

__global__ void helper_asks(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        add_unless_done(sums, sum);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__device__ void next(int &seen, int old) { seen = old + 1; }

__global__ void changed_by_a_helper(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            next(seen, old);
            old = atomicCAS(sums, seen, seen + sum);
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__device__ void add_or_tell(int *at, int value)
{
    int old = *at, seen;
    do {
        seen = old;
        if (seen < 0)
            goto out;
        old = atomicCAS(at, seen, seen + value);
    } while (seen != old);
    return;
out:
    log_of_all[0] = 1;
}

__global__ void goes_elsewhere(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        add_or_tell(sums, sum);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}

__global__ void sees_another_place(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int kept = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        int old = sums[0], seen;
        do {
            seen = old;
            old = atomicCAS(sums, seen, seen + sum);
            old = sums[1];
        } while (seen != old);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = kept;
}
