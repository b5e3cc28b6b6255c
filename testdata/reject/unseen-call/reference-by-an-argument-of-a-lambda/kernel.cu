// A lambda of C++20's kind that is told its argument's type: by int& it moves the cursor that the loads read, by
// int it moves a copy.
__global__ void walk(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int at = 0;
    auto advance = []<class T>(T from, float by) {
        from += by > 2.f ? 2 : 1;
        return from;
    };
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[at * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        sum += advance.template operator()<int &>(at, sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
