#define TILE_SYNC() __syncwarp()
#undef TILE_SYNC
#define TILE_SYNC() __syncthreads()
