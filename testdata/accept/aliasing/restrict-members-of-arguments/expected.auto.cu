// Pointers that are __restrict__ where a record that is handed over by value declares them: by
// its own word, in a record within it, by traits of a class template; and pointers of the
// function's own that are set from a record whose members say nothing.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Source {
    const float *__restrict__ cells;
    int pitch;
};
struct Filter {
    Source image;
    const float *taps;
    float *__restrict__ blurred;
};

__device__ void blur_rows(const Filter f, int rows)
{
    constexpr int stages = 8;
    __shared__ float strip_stage[stages][64];
    // pipelinify: cp.async, 8 stages, source debaf56d
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            __pipeline_memcpy_async(&strip_stage[load_stage][threadIdx.x],
                                    &f.image.cells[r_load * f.image.pitch + threadIdx.x], sizeof(float));
            ++r_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rows; ++r) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float sum = 0.f;
        for (int j = 0; j < 5; ++j)
            sum += f.taps[j] * strip_stage[stage][(threadIdx.x + j) % 64];
        f.blurred[r * 64 + threadIdx.x] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
}

// pipelinify: launch blur
//   sizes    rows=0,1,2,5
//   target   rows=512
//   grid     1
//   block    64
//   image:   in  [rows * 70 + 1]
//   taps:    in  [5]
//   blurred: out [rows * 64 + 1]
//   rows:    rows
__global__ void blur(const float *image, const float *taps, float *blurred, int rows)
{
    blur_rows(Filter{{image, 70}, taps, blurred}, rows);
}

template <typename T> struct Plain { typedef T *pointer; };
template <typename T> struct Apart { typedef T *__restrict__ pointer; };

template <typename T, int Rank, template <typename> class How = Plain> struct Slice {
    __device__ Slice(typename How<T>::pointer begin, const int *pitch) : at(begin), steps(pitch) {}
    __device__ Slice<T, Rank - 1, How> operator[](int i) const
    {
        return Slice<T, Rank - 1, How>(at + i * steps[0], steps + 1);
    }
    typename How<T>::pointer at;
    const int *steps;
};
template <typename T, template <typename> class How> struct Slice<T, 1, How> {
    __device__ Slice(typename How<T>::pointer begin, const int *pitch) : at(begin), steps(pitch) {}
    __device__ T &operator[](int i) const { return at[i * steps[0]]; }
    typename How<T>::pointer at;
    const int *steps;
};
// What is handed over has its numbers with it.
template <typename T, int Rank, template <typename> class How = Plain> struct Packed {
    __device__ Slice<T, Rank - 1, How> operator[](int i) const
    {
        return Slice<T, Rank - 1, How>(at + i * steps[0], steps + 1);
    }
    typename How<T>::pointer at;
    int steps[Rank];
};

__device__ void fold(const Packed<const float, 2, Apart> in, const Packed<float, 2, Apart> out, int planes)
{
    __shared__ float plane_stage[2][64];
    // pipelinify: ldg, 2 stages, source 0708793d
    int p = 0, p_tile = p, stage = 0;
    if (p < planes) {
        auto compute_tile = [&]() {
            float sum = 0.f;
            for (int j = 0; j < 64; ++j)
                sum += plane_stage[stage][j] * (float)((j ^ threadIdx.x) % 7);
            out[p_tile][threadIdx.x] += sum;
        };
        plane_stage[0][threadIdx.x] = in[p][threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++p; p < planes; ++p) {
            float plane_next = in[p][threadIdx.x];
            compute_tile();
            ++p_tile;
            stage ^= 1;
            plane_stage[stage][threadIdx.x] = plane_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
}

// pipelinify: launch fold_planes
//   sizes    planes=0,1,2,5
//   target   planes=512
//   grid     1
//   block    64
//   in:      in    [planes * 64 + 1]
//   out:     inout [planes * 64 + 1]
//   planes:  planes
__global__ void fold_planes(const float *in, float *out, int planes)
{
    fold(Packed<const float, 2, Apart>{in, {64, 1}}, Packed<float, 2, Apart>{out, {64, 1}}, planes);
}

struct Quiet {
    const float *from;
    float *to;
};

__device__ void carry(const Quiet q, int tiles)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][64];
    const float *__restrict__ from = q.from;
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source bb8e1c18
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &from[k_load * 64 + threadIdx.x], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * (float)((j + threadIdx.x) % 5);
        q.to[k * 64 + threadIdx.x] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
}

// pipelinify: launch carry_on
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     1
//   block    64
//   from:    in  [tiles * 64 + 1]
//   to:      out [tiles * 64 + 1]
//   tiles:   tiles
__global__ void carry_on(const float *from, float *to, int tiles)
{
    carry(Quiet{from, to}, tiles);
}
