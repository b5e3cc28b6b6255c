// Two buffers behind two pointers that change places.
__global__ void __launch_bounds__(256)
ping_pong(const double *__restrict__ v, double *__restrict__ r, int n)
{
    __shared__ double x[256], y[256];
    double *front = x, *back = y;
    double s = 0.0;

    front[threadIdx.x] = v[threadIdx.x];
    __syncthreads();
    for (int i = 256; i < n; i += 256) {
        back[threadIdx.x] = v[i + threadIdx.x];
        for (int j = 0; j < 256; j += 32)
            s += front[(j + threadIdx.x) & 255];
        __syncthreads();
        double *keep = front;
        front = back;
        back = keep;
    }
    for (int j = 0; j < 256; j += 32)
        s += front[(j + threadIdx.x) & 255];
    r[blockIdx.x * 256 + threadIdx.x] = s;
}
