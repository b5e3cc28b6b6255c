#include <array>
#include <optional>
#include <string_view>
#include <iostream>
#include <variant>
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
struct Shape { int m, n; };
static std::optional<Shape> shape_of(std::string_view text)
{
    if (text.empty()) return std::nullopt;
    return Shape{(int)text.size(), TILE};
}
int main(int argc, char **argv)
{
    std::array<float, 80> h{};
    h.fill(1.f);
    if (auto s = shape_of(argv[0]); s) { auto [m, n] = *s; std::cout << m << "x" << n << std::endl; }
    float *d, *o;
    cudaMalloc(&d, sizeof h); cudaMalloc(&o, 64);
    cudaMemcpy(d, h.data(), h.size() * sizeof(h[0]), cudaMemcpyHostToDevice);
    sums<<<1, TILE>>>(d, o, (int)h.size());
    auto [status, what] = std::pair{cudaGetLastError(), "launch"};
    std::variant<int, float> v = 1.f;
    std::visit([](auto x) { std::cout << x; }, v);
    std::cout << what << (status == cudaSuccess ? " ok" : " failed") << std::endl;
}
