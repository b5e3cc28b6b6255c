#ifndef SIZES_CUH
#define SIZES_CUH

#ifndef WIDTH
#define WIDTH 32
#endif

#define TURNS 32
#undef TURNS
#define TURNS 32

#define LANES WIDTH

#endif
