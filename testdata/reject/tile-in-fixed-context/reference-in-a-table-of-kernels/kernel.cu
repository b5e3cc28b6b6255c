// The instantiations of a kernel stand in tables, as elements, defaults and arguments: one of them has a name for
// the cursor where the others have a copy.
template <class Cursor>
__global__ void walk(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int at = 0;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(at + t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        Cursor next = at;
        next += sum > 2.f ? 2 : 1;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

typedef void (*Walk)(const float *, float *, int);
const Walk walks[] = {walk<int>, walk<long>, walk<int &>};

// All that a table names is alike here.
template <int ROUNDS>
__global__ void rounds(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int r = 0; r < ROUNDS; ++r)
            for (int k = 0; k < 64; ++k)
                sum += s[k] * (k - (int)threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

void pick(int which, const float *x, float *y, int n)
{
    const Walk all[] = {rounds<1>, rounds<2>, rounds<4>};
    all[which]<<<1, 64>>>(x, y, n);
}

// A list that a template makes: which instantiations it names is not followed.
template <int ROUNDS>
__global__ void listed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int r = 0; r < ROUNDS; ++r)
            for (int k = 0; k < 64; ++k)
                sum += s[k] * (k - (int)threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template <int... N>
void pick_of(int which, const float *x, float *y, int n)
{
    const Walk all[] = {listed<N>...};
    all[which]<<<1, 64>>>(x, y, n);
}

void run(const float *x, float *y, int n)
{
    listed<1><<<1, 64>>>(x, y, n);
    pick_of<2, 4>(0, x, y, n);
}
