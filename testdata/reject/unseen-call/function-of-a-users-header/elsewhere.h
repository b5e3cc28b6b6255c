#pragma once
__device__ float scaled_elsewhere(float x);
__device__ int next_elsewhere();
__device__ float __ldcg(float x);
__device__ float4 &operator+=(float4 &a, float4 b);
