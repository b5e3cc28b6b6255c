/* pl_toolkit.h - stands in for headers of the toolkit that the emulator does not
 * have: names by which host code holds what belongs to a library. The functions
 * that use them are left out. */
#ifndef PL_TOOLKIT_H
#define PL_TOOLKIT_H

#include "pl_emu.h"
#include "pl_host.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

/* <cuda/std/...> is the standard library once more. */
namespace cuda {
namespace std {
using namespace ::std;
}
}

#define PL_OPAQUE(name) typedef struct pl_##name *name;
PL_OPAQUE(cublasHandle_t) PL_OPAQUE(cublasLtHandle_t)
PL_OPAQUE(cusparseHandle_t) PL_OPAQUE(cusolverDnHandle_t)
PL_OPAQUE(cudnnHandle_t) PL_OPAQUE(curandGenerator_t)
PL_OPAQUE(cudnnTensorDescriptor_t) PL_OPAQUE(ncclComm_t)
PL_OPAQUE(cusparseSpMatDescr_t) PL_OPAQUE(cusparseDnMatDescr_t)
#define PL_STATUS(name) typedef int name;
PL_STATUS(cublasStatus_t) PL_STATUS(cusparseStatus_t) PL_STATUS(curandStatus_t)
PL_STATUS(cusolverStatus_t) PL_STATUS(cudnnStatus_t) PL_STATUS(ncclResult_t)
PL_STATUS(cufftResult) PL_STATUS(cufftHandle) PL_STATUS(nvrtcResult)
PL_STATUS(cublasOperation_t)

namespace thrust {
template <class T> struct device_ptr {};
template <class T> struct host_vector {};
template <class T> struct device_vector {};
}

#endif
