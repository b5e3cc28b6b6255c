// Sizes that the kernels of this folder share.
#ifndef TILE_SIZES_CUH
#define TILE_SIZES_CUH

#define WARP 32
#define PARTS 2
#define PANEL (PARTS * WARP) /* columns of a tile */
#define DEPTH 16
#define THREADS 128

#endif
