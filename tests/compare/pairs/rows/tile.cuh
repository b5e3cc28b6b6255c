#define ROW_TILE 32
__constant__ float weights[4] = {1.f, 2.f, 3.f, 4.f};
