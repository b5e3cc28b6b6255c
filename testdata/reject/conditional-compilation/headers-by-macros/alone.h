#pragma once

__device__ __forceinline__ void couple(float *, float)
{
}
