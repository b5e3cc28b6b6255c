#ifndef PART_WIDTH_CUH
#define PART_WIDTH_CUH
#include "../blend.cuh"
#define WIDTH 128
struct Widths { int most; };
#endif
