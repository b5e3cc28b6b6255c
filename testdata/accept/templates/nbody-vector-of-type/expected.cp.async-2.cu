// Pairwise forces in a precision that the caller picks; its vectors are found by
// a class template.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T> struct VectorOf {};
template <> struct VectorOf<float> {
    typedef float3 Three;
    typedef float4 Four;
};
template <> struct VectorOf<double> {
    typedef double3 Three;
    typedef double4 Four;
};

template <typename T>
__device__ typename VectorOf<T>::Three pull(typename VectorOf<T>::Three sum, typename VectorOf<T>::Four at,
                                            typename VectorOf<T>::Four other)
{
    typename VectorOf<T>::Three r;
    r.x = other.x - at.x;
    r.y = other.y - at.y;
    r.z = other.z - at.z;
    T d2 = r.x * r.x + r.y * r.y + r.z * r.z + T(0.01);
    T f = other.w / (d2 * d2);
    sum.x += r.x * f;
    sum.y += r.y * f;
    sum.z += r.z * f;
    return sum;
}

template <typename T>
__device__ typename VectorOf<T>::Three total(const typename VectorOf<T>::Four *bodies, typename VectorOf<T>::Four at,
                                             int tiles)
{
    __shared__ typename VectorOf<T>::Four near_stage[2][64];
    typename VectorOf<T>::Three sum = {0, 0, 0};
    // pipelinify: cp.async, 2 stages, source 8d63feee
    static_assert(__is_trivially_copyable(typename VectorOf<T>::Four) &&
                  !__is_same(typename VectorOf<T>::Four, volatile typename VectorOf<T>::Four),
                  "typename VectorOf<T>::Four must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename VectorOf<T>::Three) &&
                  !__is_same(typename VectorOf<T>::Three, volatile typename VectorOf<T>::Three),
                  "typename VectorOf<T>::Three must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename VectorOf<T>::Four) &&
        (sizeof(typename VectorOf<T>::Four) == 4 || sizeof(typename VectorOf<T>::Four) == 8 ||
         sizeof(typename VectorOf<T>::Four) == 16) &&
        alignof(typename VectorOf<T>::Four) == sizeof(typename VectorOf<T>::Four),
        "asynchronous copies move 4, 8 or 16 aligned bytes");
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < tiles) {
            __pipeline_memcpy_async(&near_stage[load_stage][threadIdx.x], &bodies[tile_load * blockDim.x + threadIdx.x],
                                    sizeof(typename VectorOf<T>::Four));
            tile_load++;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int tile = 0; tile < tiles; tile++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (unsigned i = 0; i < blockDim.x; i++)
            sum = pull<T>(sum, at, near_stage[stage][i]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    return sum;
}

// pipelinify: launch forces<float>
//   sizes  n=64,128,192,320
//   target n=65536
//   grid   n / 64
//   block  64
//   bodies: in  [n] range(-1, 1)
//   force:  out [n]
//   tiles:  n / 64
template <typename T>
__global__ void forces(const typename VectorOf<T>::Four *bodies, typename VectorOf<T>::Three *force, int tiles)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    force[i] = total<T>(bodies, bodies[i], tiles);
}

template __global__ void forces<float>(const float4 *, float3 *, int);
