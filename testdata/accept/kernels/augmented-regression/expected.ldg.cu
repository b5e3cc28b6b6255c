// Linear models with a bias: each row of X is followed by a column of ones, rows behind the last one are ones
// too (their results are not kept). X holds bytes and is scaled, W is float and filled with zeros.
#include <cuda_runtime.h>

enum { ROWS = 16, MODELS = 16, WIDTH = 16 };

// pipelinify: launch predict
//   sizes    samples=16 models=16 features=0,1,15,16,17,31,32,47,80
//   sizes    samples=21 models=3,37 features=40
//   target   samples=65536 models=64 features=255
//   grid     (models + 15) / 16, (samples + 15) / 16
//   block    16, 16
//   X:       in  [samples * features] random
//   W:       in  [models * (features + 1)] random
//   Y:       out [samples * models]
//   samples:  samples
//   models:   models
//   features: features
//   work     flops 2 * samples * models * features
extern "C" __global__ void predict(const unsigned char *__restrict__ X, const float *__restrict__ W,
                                   float *__restrict__ Y, int samples, int models, int features)
{
    __shared__ float x_stage[2][ROWS][WIDTH + 1], w_stage[2][MODELS][WIDTH + 1];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const int sample = blockIdx.y * ROWS + ty, model = blockIdx.x * MODELS + ty;
    float y = 0.0f;

    // pipelinify: ldg, 2 stages, source 8f6c12db
    int at = 0, stage = 0;
    if (at <= features)
    {
        {
            const int f = at + (int)tx;
            if (sample < samples && f < features)
                x_stage[0][ty][tx] = X[(size_t)sample * features + f] / 255.0f;
            else
                x_stage[0][ty][tx] = 1.0f;       // the bias, or nobody's
            if (model < models && f <= features)
                w_stage[0][ty][tx] = W[(size_t)model * (features + 1) + f];
            else
                w_stage[0][ty][tx] = 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += WIDTH; at <= features; at += WIDTH)
        {
            unsigned char x_next;
            float w_next;
            const int f = at + (int)tx;
            if (sample < samples && f < features)
                x_next = X[(size_t)sample * features + f];
            if (model < models && f <= features)
                w_next = W[(size_t)model * (features + 1) + f];
            else
                w_next = 0.0f;

            for (int i = 0; i < WIDTH; ++i)
                y += x_stage[stage][ty][i] * w_stage[stage][tx][i];
            stage ^= 1;
            if (sample < samples && f < features)
                x_stage[stage][ty][tx] = x_next / 255.0f;
            else
                x_stage[stage][ty][tx] = 1.0f;
            w_stage[stage][ty][tx] = w_next;
            __syncthreads();
        }
        for (int i = 0; i < WIDTH; ++i)
            y += x_stage[stage][ty][i] * w_stage[stage][tx][i];
    }

    const int column = blockIdx.x * MODELS + tx;
    if (sample < samples && column < models)
        Y[(size_t)sample * models + column] = y;
}
