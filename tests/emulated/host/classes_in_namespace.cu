#include <string>
#include <sstream>
#include <fstream>
#include <vector>
#include <iostream>
#include <filesystem>
#include <set>
#include <list>
#include <deque>
namespace app {
// pipelinify: launch app::sums
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
class Error : public std::runtime_error { public: explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)), code(e) {} cudaError_t code; };
inline void check(cudaError_t e) { if (e != cudaSuccess) throw Error(e); }
template <class T> class DeviceBuffer {
    T *p_ = nullptr; std::size_t n_ = 0;
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t n) : n_(n) { check(cudaMalloc(reinterpret_cast<void **>(&p_), n * sizeof(T))); }
    DeviceBuffer(DeviceBuffer &&o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; }
    ~DeviceBuffer() { if (p_) cudaFree(p_); }
    void upload(const std::vector<T> &v) { check(cudaMemcpy(p_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    std::vector<T> download() const { std::vector<T> v(n_); check(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost)); return v; }
    T *get() { return p_; } const T *get() const { return p_; } std::size_t size() const noexcept { return n_; }
};
static std::vector<float> read(const std::string &path)
{
    std::ifstream in(path); std::vector<float> v; std::string line;
    while (std::getline(in, line)) { std::istringstream s(line); float x; while (s >> x) v.push_back(x); }
    return v;
}
enum class Mode : int { Fast, Slow };
static std::ostream &operator<<(std::ostream &o, Mode m) { return o << (m == Mode::Fast ? "fast" : "slow"); }
}
int main(int argc, char **argv)
{
    const std::vector<std::string> args(argv + 1, argv + argc);
    auto v = app::read(args.empty() ? "in.txt" : args[0]);
    app::DeviceBuffer<float> a(v.size()), o(TILE);
    a.upload(v);
    app::sums<<<1, TILE>>>(a.get(), o.get(), static_cast<int>(a.size()));
    std::set<int> s{1, 2}; std::list<int> l(3); std::deque<float> q; q.push_back(1);
    std::cout << app::Mode::Fast << s.size() << l.size() << std::boolalpha << std::filesystem::exists("x") << std::hex << 12 << std::endl;
    std::ofstream("out.txt") << o.download()[0] << '\n';
}
