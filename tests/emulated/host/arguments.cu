#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <getopt.h>
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
struct Options { int n = 80; bool verbose = false; std::string device{"0"}; };
static void usage(const char *argv0) { std::fprintf(stderr, "usage: %s [-n N] [-v]\n", argv0); std::exit(EXIT_FAILURE); }
static Options parse(int argc, char **argv)
{
    Options o;
    static struct option longs[] = {{"size", required_argument, nullptr, 'n'}, {"verbose", no_argument, nullptr, 'v'}, {nullptr, 0, nullptr, 0}};
    for (int c; (c = getopt_long(argc, argv, "n:v", longs, nullptr)) != -1;)
        switch (c) {
        case 'n': o.n = std::atoi(optarg); break;
        case 'v': o.verbose = true; break;
        default: usage(argv[0]);
        }
    for (int i = optind; i < argc; i++)
        if (!std::strncmp(argv[i], "--device=", 9)) o.device = argv[i] + 9;
    return o;
}
int main(int argc, char **argv)
{
    Options o = parse(argc, argv);
    float *a, *b;
    cudaSetDevice(std::stoi(o.device));
    cudaMalloc((void **)&a, (size_t)o.n * sizeof *a);
    cudaMalloc((void **)&b, TILE * sizeof *b);
    sums<<<1, TILE>>>(a, b, o.n);
    if (o.verbose) printf("%zu bytes\n", (size_t)o.n * sizeof *a);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
