// do ... while, slots as offsets that are toggled, tiles from the end.
__global__ void backwards(const double *in, double *out, int n)
{
    __shared__ double b[2 * 64];
    int i = threadIdx.x, off = 0, t = n / 64;
    double s = 0;
    if (t > 0) {
        b[i] = in[(t - 1) * 64 + i];
        do {
            __syncthreads();
            --t;
            if (t > 0)
                b[(64 - off) + i] = in[(t - 1) * 64 + i];
            s = s * 0.5 + b[off + (i ^ 3)];
            off = 64 - off;
        } while (t > 0);
    }
    out[i] = s;
}

void run(const double *i, double *o, int n) { backwards<<<1, 64>>>(i, o, n); }
