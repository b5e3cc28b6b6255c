#pragma once

__device__ const int first = 4;
#define LIMIT (first + 1)
