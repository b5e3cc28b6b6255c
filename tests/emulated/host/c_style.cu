#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <float.h>
#include <sys/time.h>
#include <unistd.h>
#include <inttypes.h>
typedef unsigned long long u64;
typedef struct { float *data; size_t n; const char *name; } buffer_t;
static double seconds(void) { struct timeval tv; gettimeofday(&tv, NULL); return tv.tv_sec + tv.tv_usec * 1e-6; }
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
static buffer_t *buffer_new(const char *name, size_t n)
{
    buffer_t *b = (buffer_t *)calloc(1, sizeof *b);
    b->data = (float *)malloc(n * sizeof(float)); b->n = n; b->name = strdup(name);
    return b;
}
static int cmp(const void *a, const void *b) { float x = *(const float *)a, y = *(const float *)b; return (x > y) - (x < y); }
int main(int argc, char *argv[])
{
    size_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 80;
    buffer_t *b = buffer_new("a", n);
    float *d, *o; float h[TILE];
    memset(b->data, 0, n * sizeof(float));
    qsort(b->data, n, sizeof(float), cmp);
    double t = seconds();
    cudaMalloc((void **)&d, n * sizeof(float)); cudaMalloc((void **)&o, sizeof h);
    sums<<<1, TILE>>>(d, o, (int)n);
    cudaMemcpy(h, o, sizeof(h), cudaMemcpyDeviceToHost);
    double flops = 2.0 * n * TILE, worst = -FLT_MAX;
    for (int i = 0; i < TILE; i++) worst = fmax(worst, fabsf(h[i]));
    printf("%zu elements, %" PRIu64 " %lld %5.2f GFLOP/s worst %g %s\n", n, (uint64_t)n, (long long)n, flops / (seconds() - t) / 1e9, worst, b->name);
    FILE *f = fopen("out.bin", "wb"); if (!f) { perror("out.bin"); return 1; }
    fwrite(h, sizeof(float), TILE, f); fclose(f); free(b->data); usleep(10); sleep(0);
    char line[80]; snprintf(line, sizeof line, "%d", getpid()); fputs(line, stdout); while (fgets(line, 80, stdin)) { char *tok = strtok(line, " "); (void)tok; }
    return 0;
}
