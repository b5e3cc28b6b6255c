// Which function steps the pointer hangs on the template's arguments. One of them leads it into the
// source: what compute stores through it, a later tile loads.
#include <cuda_runtime.h>

template <class T> struct stays {
    static __device__ void lead(T *&to, T *) { to += 32; }
};

template <class T> struct leaves {
    static __device__ void lead(T *&to, T *from) { to = from; }
};

template <class T, template <class> class Way>
__global__ void smooth(T *in, T *__restrict__ rows, T *__restrict__ out, int n)
{
    __shared__ T cells[32];
    T sum = 0;
    T *to = rows;
    for (int k = 0; k < n; ++k) {
        cells[threadIdx.x] = in[k * 32 + threadIdx.x];
        __syncthreads();
        Way<T>::lead(to, in + k * 32 + 32);
        for (int i = 0; i < 32; ++i)
            sum += cells[i];
        to[threadIdx.x] = sum;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void launch(float *in, float *rows, float *out, int n)
{
    smooth<float, stays><<<1, 32>>>(in, rows, out, n);
    smooth<float, leaves><<<1, 32>>>(in, rows, out, n);
}
