#define ROW_TILE 16
__constant__ float weights[4] = {4.f, 1.f, 2.f, 3.f};
