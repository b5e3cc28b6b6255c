#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>
using namespace std;
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
static vector<float> random_vector(size_t n, unsigned seed)
{
    mt19937 gen(seed);
    uniform_real_distribution<float> dist(-1.f, 1.f);
    vector<float> v(n);
    generate(v.begin(), v.end(), [&]() { return dist(gen); });
    return v;
}
bool close(const vector<float> &a, const vector<float> &b, float tol = 1e-4f)
{
    if (a.size() != b.size()) throw runtime_error("sizes differ");
    for (size_t i = 0; i < a.size(); ++i)
        if (fabs(a[i] - b[i]) > tol * max(1.f, fabs(b[i]))) { cerr << "at " << i << ": " << a[i] << " != " << b[i] << endl; return false; }
    return true;
}
int main()
{
    const int n = 80;
    auto h = random_vector(n, 7);
    vector<float> got(TILE), want(TILE);
    float *d, *r;
    cudaMalloc(&d, n * sizeof(float)); cudaMalloc(&r, TILE * sizeof(float));
    cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sums<<<1, TILE>>>(d, r, n);
    cudaMemcpy(&got[0], r, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
    iota(want.begin(), want.end(), 0.f);
    double total = accumulate(h.begin(), h.end(), 0.0);
    auto [lo, hi] = minmax_element(h.begin(), h.end());
    cout << total << ' ' << *lo << ' ' << *hi << ' ' << close(got, want) << '\n';
    try { if (!close(got, want)) throw std::logic_error("wrong"); } catch (const std::exception &e) { cerr << e.what() << endl; return 1; }
}
