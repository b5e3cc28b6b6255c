// Planes that registers hand on, and that no load of the loop gives again.

// What is there first is not what lies below the first plane.
__global__ void another_first(const float *__restrict__ u, float *__restrict__ v, int plane, int nz)
{
    __shared__ float sh[64];
    const int t = threadIdx.x;
    float here = u[t], above, sum = 0.f;
    for (int k = 1; k < nz; k++) {
        above = u[t + (k + 1) * plane];
        sh[t] = here;
        __syncthreads();
        sum += above * sh[63 - t];
        here = above;
        __syncthreads();
    }
    v[t] = sum;
}

// Somebody may have changed the plane since.
__global__ void open_to_changes(float *u, float *v, int plane, int nz)
{
    __shared__ float sh[64];
    const int t = threadIdx.x;
    float here = u[t + plane], above, sum = 0.f;
    for (int k = 1; k < nz; k++) {
        above = u[t + (k + 1) * plane];
        sh[t] = here;
        __syncthreads();
        sum += above * sh[63 - t];
        here = above;
        __syncthreads();
    }
    v[t] = sum;
}

// The last plane is loaded for some threads alone.
__global__ void under_a_guard(const float *__restrict__ u, float *__restrict__ v, int plane, int nz, int n)
{
    __shared__ float sh[64];
    const int t = threadIdx.x;
    float here = u[t + plane], above = 0.f, sum = 0.f;
    for (int k = 1; k < nz; k++) {
        if (t < n)
            above = u[t + (k + 1) * plane];
        sh[t] = here;
        __syncthreads();
        sum += above * sh[63 - t];
        here = above;
        __syncthreads();
    }
    v[t] = sum;
}

// The step is another one in each iteration.
__global__ void ever_further(const float *__restrict__ u, float *__restrict__ v, int plane, int nz)
{
    __shared__ float sh[64];
    const int t = threadIdx.x;
    int at = t;
    float here = u[at], sum = 0.f;
    for (int k = 0; k < nz; k++) {
        at += plane * k;
        const float above = u[at];
        sh[t] = here;
        __syncthreads();
        sum += sh[63 - t] * above;
        here = above;
        __syncthreads();
    }
    v[t] = sum;
}

// What is handed on is changed on the way.
__global__ void changed_on_the_way(const float *__restrict__ u, float *__restrict__ v, int plane, int nz)
{
    __shared__ float sh[64];
    const int t = threadIdx.x;
    float line[3];
    for (int i = 0; i < 3; i++)
        line[i] = u[t + i * plane];
    float sum = 0.f;
    for (int k = 0; k < nz; k++) {
        const float far = u[t + (k + 3) * plane];
        sh[t] = line[0];
        __syncthreads();
        sum += sh[63 - t];
        line[nz % 3] += 1.f;
        line[0] = line[1];
        line[1] = line[2];
        line[2] = far;
        __syncthreads();
    }
    v[t] = sum;
}
