#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>
#include <thrust/sequence.h>
#include <thrust/functional.h>
#include <thrust/execution_policy.h>
#include <iostream>
// pipelinify: launch sums
//   sizes n=0,16,24,80
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
#define TILE 16
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[TILE];
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s[threadIdx.x] = t + threadIdx.x < n ? a[t + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i] * (i + 1);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
struct Scale { float f; __host__ __device__ float operator()(float x) const { return f * x; } };
thrust::host_vector<float> run(const thrust::device_vector<float> &d)
{
    thrust::device_vector<float> o(TILE);
    sums<<<1, TILE>>>(thrust::raw_pointer_cast(d.data()), thrust::raw_pointer_cast(o.data()), (int)d.size());
    return o;
}
void show(const thrust::host_vector<float> &h) { for (size_t i = 0; i < h.size(); i++) std::cout << h[i] << " "; }
int main()
{
    thrust::device_vector<float> d(80);
    thrust::sequence(d.begin(), d.end());
    thrust::transform(thrust::device, d.begin(), d.end(), d.begin(), Scale{2.f});
    float total = thrust::reduce(d.begin(), d.end(), 0.f, thrust::plus<float>());
    show(run(d));
    std::cout << total << std::endl;
}
