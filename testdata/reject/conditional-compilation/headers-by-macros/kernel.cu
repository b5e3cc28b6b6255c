// A header that names a macro's file, one that is read twice, one that a macro of the
// build's chooses; and what the headers ask by way of macros with operands.
#include <cuda_runtime.h>

#define CELLS 96

#ifdef ENSEMBLE
#define PHYSICS "coupled.h"
#else
#define PHYSICS "alone.h"
#endif
#include PHYSICS

__global__ void advance(float *state, float *flux, int steps)
{
    __shared__ float line[CELLS];
    const int c = threadIdx.x;
    float sum = 0.0f;
    for (int s = 0; s < steps; ++s) {
        line[c] = state[s * CELLS + c];
        __syncthreads();
        for (int d = 1; d < CELLS; ++d)
            sum += line[(c + d) % CELLS] * (1.0f / d);
        couple(state + (s + 1) * CELLS + c, sum);
        __syncthreads();
    }
    flux[c] = sum;
}

// Once for a name, and once, with another macro set, for another.
#define RELAX relax_first
#include "relax.inc"
#undef RELAX
#ifdef IMPLICIT
#define IN_PLACE
#endif
#define RELAX relax_second
#include "relax.inc"
#undef RELAX

__global__ void relaxed(float *state, float *flux, int steps)
{
    __shared__ float line[CELLS];
    const int c = threadIdx.x;
    float sum = 0.0f;
    for (int s = 0; s < steps; ++s) {
        line[c] = state[s * CELLS + c];
        __syncthreads();
        for (int d = 1; d < CELLS; ++d)
            sum += line[(c + d) % CELLS] * (1.0f / d);
        relax_second(state + (s + 1) * CELLS + c, sum);
        __syncthreads();
    }
    flux[c] = sum;
}

#define MODEL_SINCE(a, b) (MODEL_MAJOR > (a) || (MODEL_MAJOR == (a) && MODEL_MINOR >= (b)))
#include "source_term.h"

__global__ void with_source(float *state, float *flux, int steps)
{
    __shared__ float line[CELLS];
    const int c = threadIdx.x;
    float sum = 0.0f;
    for (int s = 0; s < steps; ++s) {
        line[c] = state[s * CELLS + c];
        __syncthreads();
        for (int d = 1; d < CELLS; ++d)
            sum += line[(c + d) % CELLS] * (1.0f / d);
        SOURCE(state + (s + 1) * CELLS + c, sum);
        __syncthreads();
    }
    flux[c] = sum;
}
