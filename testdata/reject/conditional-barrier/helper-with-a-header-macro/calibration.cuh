#pragma once

__device__ float factor = 3.0f;

#define SCALED(x) ((x) * factor)
