#include <iostream>
#include <typeinfo>
#include <bitset>
#include <complex>
#include <valarray>
#include <regex>
#include <cassert>
#include <cfenv>
#include <locale>
#include <system_error>
#include <any>
#include <stack>
#include <span>
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
#define TEST(s, n) struct s##_##n { static void body(); s##_##n() { std::cout << #s "." #n << std::endl; } } s##_##n##_instance; void s##_##n::body()
#define EXPECT_NEAR(a, b, e) if (std::abs((a) - (b)) > (e)) std::cerr << __FILE__ << ':' << __LINE__ << " " #a " != " #b "\n"
template <class T> class Fixture { protected: void SetUp() { cudaMalloc(&a, 400); cudaMalloc(&o, 64); } void TearDown() { cudaFree(a); } T *a, *o; };
class SumsTest : public Fixture<float> { public: void Run() { SetUp(); sums<<<1, TILE>>>(a, o, 80); TearDown(); } virtual ~SumsTest() = default; };
TEST(Sums, Zero) { SumsTest t; t.Run(); EXPECT_NEAR(1.f, 1.f, 1e-6f); }
static const std::complex<float> I(0, 1);
static std::bitset<8> bits("1010");
static auto square = [](float x) { return x * x; };
static const float table[] = {square(1), square(2)};
int main() { std::cout << std::abs(I) << bits.count() << typeid(I).name() << std::regex_match("a", std::regex("a+")) << table[0] << std::endl; assert(true); }
