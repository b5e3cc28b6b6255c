#include <type_traits>
#include <cstdint>
#include <limits>
#include <tuple>
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
template <typename T, typename = std::enable_if_t<std::is_floating_point<T>::value>>
T tolerance() { return std::numeric_limits<T>::epsilon() * 100; }
template <class T, int N> struct Matrix {
    T data[N][N];
    static constexpr int size = N;
    T &at(int i, int j) { return data[i][j]; }
    template <class U> Matrix<U, N> as() const { Matrix<U, N> m{}; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) m.data[i][j] = static_cast<U>(data[i][j]); return m; }
};
template <class... Args> size_t bytes_of(const Args &...args) { return (sizeof(args) + ... + 0); }
template <class F, class... A> auto apply_all(F f, A &&...a) { return std::make_tuple(f(std::forward<A>(a))...); }
template <int... S> struct Launcher { static void go(const float *a, float *o) { (sums<<<1, TILE>>>(a, o, S), ...); } };
template <class T> constexpr bool is_float_v = std::is_same_v<std::remove_cv_t<T>, float>;
int main()
{
    Matrix<float, 4> m{};
    auto d = m.as<double>();
    auto t = apply_all([](auto x) { return x * 2; }, 1, 2.f, 3.0);
    float *a, *o;
    cudaMalloc(&a, 4 * 100); cudaMalloc(&o, 64);
    Launcher<16, 32, 80>::go(a, o);
    if constexpr (is_float_v<float>) m.at(0, 0) = tolerance<float>();
    return (int)bytes_of(m, d) + std::get<0>(t) + (int)std::get<2>(t);
}
