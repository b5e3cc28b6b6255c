// Methods whose object knows its tile by members of which the caller does not show where they
// lead: what a method gave, and iterators over parts of the storage. That is said.
template <int THREADS, int ITEMS>
struct AgentMatch {
    union _TempStorage {
        unsigned needles[THREADS * ITEMS];
        int counts[THREADS];
    };
    struct TempStorage {
        _TempStorage storage;
        __device__ _TempStorage &Alias() { return storage; }
    };

    _TempStorage &temp_storage;
    const unsigned *needles;
    unsigned key;

    __device__ AgentMatch(TempStorage &ts, const unsigned *d, unsigned k)
        : temp_storage(ts.Alias()), needles(d), key(k)
    {
    }

    __device__ int ConsumeRange(int begin, int end)
    {
        int count = 0;
        for (int at = begin; at < end; at += THREADS * ITEMS) {
            for (int i = 0; i < ITEMS; ++i)
                temp_storage.needles[i * THREADS + threadIdx.x] = needles[at + i * THREADS + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < THREADS * ITEMS; ++i)
                count += temp_storage.needles[i] == key;
            __syncthreads();
        }
        return count;
    }
};

__global__ void match(const unsigned *keys, const unsigned *needles, int *counts, int n)
{
    using Agent = AgentMatch<128, 4>;
    __shared__ Agent::TempStorage temp_storage;
    const int i = blockIdx.x * 128 + threadIdx.x;
    counts[i] = Agent(temp_storage, needles, keys[i]).ConsumeRange(0, n);
}

template <int N>
struct Fragment {
    float v[N];
};

// Where a thread stores its part of a tile.
template <int N>
class TileStore {
    float *at_;

public:
    __device__ TileStore(float *tile, int thread) : at_(tile + thread) {}
    __device__ void store(const Fragment<N> &part)
    {
        for (int i = 0; i < N; ++i)
            at_[i * 64] = part.v[i];
    }
};

template <int N>
struct MainLoop {
    struct Storage {
        float a[N * 64];
    };
    Storage &shared;
    TileStore<N> store_a;

    __device__ MainLoop(Storage &storage, int thread) : shared(storage), store_a(storage.a, thread) {}

    __device__ void operator()(float &sum, const float *source, int tiles)
    {
        Fragment<N> part;
        for (; tiles > 0; --tiles) {
            for (int i = 0; i < N; ++i)
                part.v[i] = source[i * 64 + threadIdx.x];
            source += N * 64;
            store_a.store(part);
            __syncthreads();
            for (int i = 0; i < N * 64; ++i)
                sum += shared.a[i];
            __syncthreads();
        }
    }
};

__global__ void sums(const float *x, float *out, int tiles)
{
    __shared__ MainLoop<4>::Storage storage;
    MainLoop<4> loop(storage, threadIdx.x);
    float sum = 0.f;
    loop(sum, x, tiles);
    out[threadIdx.x] = sum;
}
