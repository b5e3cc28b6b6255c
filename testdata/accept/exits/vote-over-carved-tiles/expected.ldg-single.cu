// The block leaves by a vote; its tiles are parts of one block of dynamic shared memory, by
// pointers that are made ahead of the loop and have no use behind it.
struct spot {
    float x, y, weight;
};

// pipelinify: launch blend_spots
//   sizes   n=0,1,63,64,65,128,200,257,320
//   target  n=20000
//   grid    3, 2
//   block   32, 2
//   smem    64 * 4 + 64 * 12
//   ids:    in  [n] below(256)
//   spots:  in  [768] range(0, 1)
//   out:    out [384]
//   n:      n
__global__ void blend_spots(const int *__restrict__ ids, const float *__restrict__ spots,
                            float *__restrict__ out, int n)
{
    extern __shared__ int block_memory[];
    const int threads = blockDim.x * blockDim.y;
    int *id = (int *)block_memory;                         // [threads]
    spot *near = reinterpret_cast<spot *>(&id[threads]); // [threads]
    int rank = threadIdx.y * blockDim.x + threadIdx.x;
    float px = blockIdx.x + threadIdx.x / 32.0f, py = blockIdx.y + threadIdx.y / 2.0f;
    float sum = 0, left = 1;
    bool done = false;
    // pipelinify: ldg-single, 1 stage, source 6fdfd535
    int batch = 0, batch_tile = batch;
    if (batch < (n + threads - 1) / threads) {
        bool voted = __syncthreads_count(done) >= threads;
        if (!voted) {
            {
                int i = batch * threads + rank;
                if (i < n) {
                    int g = ids[i];
                    id[rank] = g;
                    near[rank] = {spots[3 * g], spots[3 * g + 1], spots[3 * g + 2]};
                }
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++batch; batch < (n + threads - 1) / threads; ++batch) {
                float near_next;
                float near_next2;
                float near_next3;
                int g_next;
                int i = batch * threads + rank;
                if (i < n) {
                    int g = ids[i];
                    g_next = g;
                    near_next = spots[3 * g];
                    near_next2 = spots[3 * g + 1];
                    near_next3 = spots[3 * g + 2];
                }
                for (int j = 0; j < min(threads, n - batch_tile * threads) && !done; ++j) {
                    float dx = near[j].x - px, dy = near[j].y - py;
                    float alpha = near[j].weight * __expf(-(dx * dx + dy * dy));
                    sum += left * alpha * (1 + id[j] % 3);
                    left *= 1 - alpha;
                    if (left < 0.01f)
                        done = true;
                }
                ++batch_tile;
                __syncthreads();
                if (i < n) {
                    int g = g_next;
                    id[rank] = g;
                    near[rank] = {near_next, near_next2, near_next3};
                }
                voted = __syncthreads_count(done) >= threads;
                if (voted)
                    break;
            }
            if (!voted) {
                for (int j = 0; j < min(threads, n - batch_tile * threads) && !done; ++j) {
                    float dx = near[j].x - px, dy = near[j].y - py;
                    float alpha = near[j].weight * __expf(-(dx * dx + dy * dy));
                    sum += left * alpha * (1 + id[j] % 3);
                    left *= 1 - alpha;
                    if (left < 0.01f)
                        done = true;
                }
            }
        }
    }
    out[(blockIdx.y * gridDim.x + blockIdx.x) * threads + rank] = sum;
}
