// What a project keeps in one place: the library's own words are common ones.
#pragma once

static __device__ int cur = 3, more = 1, slot = 2, stage = 5, w_stage = 7, w_next = 11;

// Its body names the variables above wherever it is used.
#define LIBRARY_BIAS(x) ((x) * (float)(cur + more + slot) + (float)(stage + w_stage + w_next))

static __device__ __forceinline__ float load_row_fetch(const float *row) { return 100.0f * row[0]; }

static __device__ __forceinline__ void load_row_store(float (&tile)[64], const float *row) { tile[0] = row[0]; }

static __device__ __forceinline__ void load_row_async(float (&tile)[64], const float *row) { tile[0] = -row[0]; }
