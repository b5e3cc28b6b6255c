/* What begins a member is the user's code, and no text names it: `Draw()`, braces and what
 * a default argument leaves out run the constructor of `Ticket`, which reads what compute
 * sets. One that begins with a number is all that it shows. */
__device__ int turn;

struct Ticket {
    int number;
    __device__ Ticket() { number = turn; }
};

struct Draw {
    Ticket ticket;
    int weight;
};

struct Start {
    int number;
    __device__ Start() { number = 3; }
};

struct Plain {
    Start start;
    int weight;
};

__device__ int drawn(Draw draw = Draw())
{
    return draw.ticket.number;
}

__device__ int emptied(Draw draw = {})
{
    return draw.ticket.number;
}

__device__ Draw made()
{
    return {};
}

__global__ void by_call(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x] + Draw().ticket.number;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if (threadIdx.x == 0)
            turn = t;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_braces(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x] + Draw{}.ticket.number;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if (threadIdx.x == 0)
            turn = t;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_default(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x] + drawn();
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if (threadIdx.x == 0)
            turn = t;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_empty_default(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x] + emptied();
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if (threadIdx.x == 0)
            turn = t;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_return(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x] + made().ticket.number;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if (threadIdx.x == 0)
            turn = t;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void of_a_number(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x] + Plain().start.number;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if (threadIdx.x == 0)
            turn = t;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
