#pragma once

__device__ __forceinline__ void couple(float *next, float value)
{
    *next += 0.01f * value;
}
