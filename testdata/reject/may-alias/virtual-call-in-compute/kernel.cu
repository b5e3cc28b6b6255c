// The base class only scores; the class that is used also logs into the memory that tiles come from.
struct Scorer {
    __device__ virtual float score(float v, int at) { return v * 2.f + at; }
};

struct LoggingScorer : Scorer {
    float *log;
    __device__ float score(float v, int at) override
    {
        log[at] = v;
        return v;
    }
};

__global__ void score_rows(float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float row[32];
    LoggingScorer logging;
    logging.log = rows;
    Scorer *scorer = &logging;
    float best = 0.f;
    for (int r = 0; r < n; ++r) {
        row[threadIdx.x] = rows[r * 32 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            best += row[k];
        best += scorer->score(best, (r + 1) * 32 + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = best;
}
