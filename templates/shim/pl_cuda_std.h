/* cuda::std as another name of the stand-in std. */
#ifndef PL_CUDA_STD_H
#define PL_CUDA_STD_H
#pragma GCC system_header
#include <pl_std.h>
namespace cuda {
namespace std = ::std;
}
#endif
