// Main loops that are handed their iterators by value: what they move on is their own, and what the
// caller has stays where it was.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// One that steps with each load; where it got to is told.
struct RowWalk {
    const float *rows;
    int at;

    __device__ void load(float *row)
    {
        row[threadIdx.x] = rows[at * 32 + threadIdx.x];
        ++at;
    }

    __device__ void load_async(float *row)
    {
        __pipeline_memcpy_async(&row[threadIdx.x], &rows[at * 32 + threadIdx.x], sizeof(float));
        ++at;
    }
};

__device__ float row_sum(RowWalk walk, int n, int &end)
{
    constexpr int stages = 8;
    __shared__ float row_stage[stages][32];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source 90abb639
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < n) {
            walk.load_async(row_stage[load_stage]);
            ++r_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < n; ++r) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i)
            sum += row_stage[stage][i] * (float)((i ^ threadIdx.x) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    end = walk.at;
    return sum;
}

// pipelinify: launch two_sums
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   grid     1
//   block    32
//   x:       in  [6 * n * 32 + 1]
//   out:     out [32]
//   ends:    out [96]
//   n:       n
__global__ void two_sums(const float *__restrict__ x, float *__restrict__ out, int *__restrict__ ends, int n)
{
    RowWalk walk = {x, n};
    int first = 0, second = 0;
    const float sum = row_sum(walk, 5 * n, first);
    out[threadIdx.x] = sum - row_sum(walk, n, second);
    ends[threadIdx.x] = first;
    ends[32 + threadIdx.x] = second;
    ends[64 + threadIdx.x] = walk.at;
}

constexpr int kTile = 16;

class TileIterator {
public:
    __device__ TileIterator(const float *first, int ld, int step) : at_(first), ld_(ld), step_(step) { }

    __device__ void load(float (&tile)[kTile][kTile]) const
    {
        tile[threadIdx.y][threadIdx.x] = at_[threadIdx.y * ld_ + threadIdx.x];
    }

    __device__ auto load_fetch() const
    {
        float tile_next = at_[threadIdx.y * ld_ + threadIdx.x];
        return tile_next;
    }

    __device__ void load_store(float (&tile)[kTile][kTile], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
    __device__ TileIterator &operator++()
    {
        at_ += step_;
        return *this;
    }

private:
    const float *at_;
    int ld_, step_;
};

struct Mainloop {
    __device__ void operator()(int tiles, float &sum, TileIterator a, TileIterator b) const
    {
        __shared__ float as_stage[2][kTile][kTile], bs_stage[2][kTile][kTile];
        // pipelinify: ldg, 2 stages, source 9fe1688e
        if (tiles > 0) {
            int stage = 0;
            a.load(as_stage[0]);
            b.load(bs_stage[0]);
            ++a;
            ++b;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (--tiles; tiles > 0; --tiles) {
                auto as_next = a.load_fetch();
                auto bs_next = b.load_fetch();
                for (int k = 0; k < kTile; ++k)
                    sum += as_stage[stage][threadIdx.y][k] * bs_stage[stage][k][threadIdx.x];
                stage ^= 1;
                a.load_store(as_stage[stage], as_next);
                b.load_store(bs_stage[stage], bs_next);
                ++a;
                ++b;
                __syncthreads();
            }
            for (int k = 0; k < kTile; ++k)
                sum += as_stage[stage][threadIdx.y][k] * bs_stage[stage][k][threadIdx.x];
            __syncthreads();
        }
    }
};

// pipelinify: launch gemm
//   sizes    M=16,32 N=16 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K)
{
    const TileIterator a(A + blockIdx.y * kTile * K, K, kTile), b(B + blockIdx.x * kTile, N, kTile * N);
    const Mainloop mainloop{};
    float sum = 0.f;
    mainloop(K / kTile, sum, a, b);
    C[(blockIdx.y * kTile + threadIdx.y) * N + blockIdx.x * kTile + threadIdx.x] = sum;
}
