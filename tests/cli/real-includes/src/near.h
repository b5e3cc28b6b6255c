#define NAME near_kernel
