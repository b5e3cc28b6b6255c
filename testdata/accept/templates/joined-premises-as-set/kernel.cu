// What is asked in front of the loop is what the copies' addresses were made of.

// pipelinify: launch pointer_before_it_moved
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 8]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void pointer_before_it_moved(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    const short *p = a + 8;
    a += 3;
    for (int t = 0; t < n; ++t) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s[i] = p[t * 512 + i];
        }
        __syncthreads();
        sum += s[(tx + 3) % 64] + s[511 - tx];
        __syncthreads();
    }
    c[tx] = sum;
}

// pipelinify: launch number_before_it_changed
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + ld]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void number_before_it_changed(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int off = ld;
    ld += 3;
    for (int t = 0; t < n; ++t) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        sum += s[(tx + 3) % 64] + s[511 - tx];
        __syncthreads();
    }
    c[tx] = sum;
}

// pipelinify: launch fraction
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 8]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void fraction(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int off = ld * 0.3f;
    for (int t = 0; t < n; ++t) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        sum += s[(tx + 3) % 64] + s[511 - tx];
        __syncthreads();
    }
    c[tx] = sum;
}

// pipelinify: launch wraps_below
//   sizes n=0,1,2,3,4,5,8 ld=8,16,20,13
//   grid  1
//   block 64
//   a: in [n * 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void wraps_below(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s[i] = (unsigned)(i % 32 - 3) < (unsigned)ld ? a[t * 512 + i] : 0;
        }
        __syncthreads();
        sum += s[(tx + 3) % 64] + s[511 - tx];
        __syncthreads();
    }
    c[tx] = sum;
}

// pipelinify: launch wraps_in_between
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void wraps_in_between(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s[i] = (unsigned)(i % 32 - 3) < 2u ? 0 : a[t * 512 + i];
        }
        __syncthreads();
        sum += s[(tx + 3) % 64] + s[511 - tx];
        __syncthreads();
    }
    c[tx] = sum;
}
