// The ticket hands out its number and moves on whenever it is read as an int; compute reads it as well.
struct Ticket {
    int number;
    __device__ operator int() { return number++; }
};

__global__ void serve_tickets(const float *__restrict__ costs, float *__restrict__ bill, int rounds)
{
    __shared__ float tray[32];
    Ticket ticket = {0};
    float due = 0.f;
    for (int r = 0; r < rounds; ++r) {
        tray[threadIdx.x] = costs[ticket * 32 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            due += tray[k];
        due *= ticket;
        __syncthreads();
    }
    bill[threadIdx.x] = due;
}
