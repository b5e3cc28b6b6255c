// Objects that know their tile by a member, and do not always lead to it, or to it alone.
constexpr int T = 64;

struct Loader {
    float *tile;
    const float *source;
    __device__ Loader(float *t, const float *s) : tile(t), source(s) { }
    __device__ void load(int k) const { tile[threadIdx.x] = source[k + threadIdx.x]; }
};

// A method sets the member.
struct Movable {
    float *tile;
    const float *source;
    __device__ Movable(float *t, const float *s) : tile(t), source(s) { }
    __device__ void load(int k) const { tile[threadIdx.x] = source[k + threadIdx.x]; }
    __device__ void use(float *t) { tile = t; }
};

// ... or steps on.
struct Walking {
    float *tile;
    const float *source;
    __device__ Walking(float *t, const float *s) : tile(t), source(s) { }
    __device__ void load(int k) const { tile[threadIdx.x] = source[k + threadIdx.x]; }
    __device__ void next() { tile += T; }
};

// Two members lead to one tile.
struct Halves {
    float *low, *high;
    const float *source;
    __device__ void load(int k) const
    {
        low[threadIdx.x] = source[k + threadIdx.x];
        high[threadIdx.x] = source[k + threadIdx.x + 1];
    }
};

// The place of the member is known elsewhere.
__device__ void look_at(const Loader *loader);

struct Referring {
    float (&tile)[T];
    const float *source;
    __device__ void load(int k) const { tile[threadIdx.x] = source[k + threadIdx.x]; }
};

__global__ void set_by_method(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Movable loader(tile, x);
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
        loader.use(k % 128 ? tile : other);
    }
    y[threadIdx.x] = sum;
}

__global__ void set_by_method_before(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Movable loader(tile, x);
    loader.use(other);
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void set_in_place(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Loader loader(tile, x);
    for (int k = 0; k < n; k += T) {
        loader.tile = k % 128 ? tile : other;
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void steps_on(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Walking loader(tile, x);
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
        loader.next();
    }
    y[threadIdx.x] = sum;
}

__global__ void made_with_either(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Loader loader(n > T ? tile : other, x);
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void made_in_loop(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    int odd = 0;
    for (int k = 0; k < n; k += T) {
        const Loader loader(k % 128 ? other : tile, x);
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void made_again(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Loader loader(tile, x);
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
        loader = Loader(other, x);
    }
    y[threadIdx.x] = sum;
}

__global__ void halves(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Halves loader = {tile, tile + 1, x};
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void seen_elsewhere(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Loader loader(tile, x);
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
        look_at(&loader);
    }
    y[threadIdx.x] = sum;
}

__global__ void second_name(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Loader loader(tile, x);
    Loader &again = loader;
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
        again.tile = other;
    }
    y[threadIdx.x] = sum;
}

__global__ void copied(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Loader first(tile, x);
    Loader loader = first;
    loader.tile = other;
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void either_array(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[T], other[T];
    float sum = 0.0f;
    Referring loader = {n > T ? tile : other, x};
    for (int k = 0; k < n; k += T) {
        loader.load(k);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x] + other[threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
