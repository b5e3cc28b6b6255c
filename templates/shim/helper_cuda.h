/* The samples' helper, as host code uses it. */
#ifndef PL_HELPER_CUDA_H
#define PL_HELPER_CUDA_H
#pragma GCC system_header
#include <pl_std.h>
#define checkCudaErrors(x) ((void)(x))
#define getLastCudaError(x) ((void)(x))
int findCudaDevice(int, const char **);
bool checkCmdLineFlag(int, const char **, const char *);
int getCmdLineArgumentInt(int, const char **, const char *);
struct StopWatchInterface;
#endif
