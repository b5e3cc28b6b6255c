#pragma once

// Each caller's own line, unless it says another one.
__device__ inline float salted(float v, int line = __builtin_LINE()) { return v * line; }

struct Tag {
    int line;
    __device__ Tag(int at = __builtin_LINE()) : line(at) {}
};

struct Stamp {
    int line = __builtin_LINE();
};
