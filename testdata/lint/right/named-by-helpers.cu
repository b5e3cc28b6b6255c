// Named barriers behind helpers: 64 producers, 64 consumers, three slots, registers.
struct Named {
    int id;
    __device__ explicit Named(int i) : id(i) {}
    __device__ void sync() const { asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(128) : "memory"); }
    __device__ void arrive() const { asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(128) : "memory"); }
};
__global__ __launch_bounds__(128) void permute(const double *in, double *out, int m)
{
    __shared__ double box[3][64];
    const bool makes = threadIdx.x < 64;
    const int t = threadIdx.x & 63;
    int slot = 0;
    if (makes) {
        for (int k = 0; k < m; ++k) {
            if (k >= 3)
                Named(4 + slot).sync();
            box[slot][t] = in[k * 64 + t];
            __threadfence_block();
            Named(1 + slot).arrive();
            slot = (slot + 1) % 3;
        }
    } else {
        double v = 0;
        for (int k = 0; k < m; ++k) {
            Named(1 + slot).sync();
            v = v * 0.5 + box[slot][t ^ 7];
            if (k + 3 < m)
                Named(4 + slot).arrive();
            slot = (slot + 1) % 3;
        }
        out[t] = v;
    }
}
void run(const double *i, double *o, int m) { permute<<<4, 128>>>(i, o, m); }
