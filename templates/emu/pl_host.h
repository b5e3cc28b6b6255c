/* pl_host.h - names of the host API that a kernel file may mention outside the
 * functions whose bodies are left out. Nothing here does anything. */
#ifndef PL_HOST_H
#define PL_HOST_H

typedef enum cudaError { cudaSuccess = 0, cudaErrorUnknown = 999 } cudaError_t;
typedef struct pl_stream *cudaStream_t;
typedef struct pl_event *cudaEvent_t;
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
} cudaMemcpyKind;
typedef enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;
struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount, clockRate, warpSize;
  int maxThreadsPerBlock, maxThreadsPerMultiProcessor;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor, totalGlobalMem;
  int l2CacheSize, memoryBusWidth, memoryClockRate;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs;
};
typedef int CUdevice;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
typedef unsigned long long CUdeviceptr;

static inline const char *cudaGetErrorString(cudaError_t) { return ""; }
static inline const char *cudaGetErrorName(cudaError_t) { return ""; }
static inline cudaError_t cudaGetLastError() { return cudaErrorUnknown; }
static inline cudaError_t cudaPeekAtLastError() { return cudaErrorUnknown; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaErrorUnknown; }
template <class... A> cudaError_t pl_no_host(A &&...) { return cudaErrorUnknown; }
#define PL_NO_HOST(name)                                                       \
  template <class... A> cudaError_t name(A &&...) { return cudaErrorUnknown; }
PL_NO_HOST(cudaMalloc) PL_NO_HOST(cudaFree) PL_NO_HOST(cudaMemcpy)
PL_NO_HOST(cudaMemset) PL_NO_HOST(cudaMallocHost) PL_NO_HOST(cudaFreeHost)
PL_NO_HOST(cudaMemcpyAsync) PL_NO_HOST(cudaMallocManaged)
PL_NO_HOST(cudaStreamCreate) PL_NO_HOST(cudaStreamSynchronize)
PL_NO_HOST(cudaStreamDestroy) PL_NO_HOST(cudaEventCreate)
PL_NO_HOST(cudaEventRecord) PL_NO_HOST(cudaEventSynchronize)
PL_NO_HOST(cudaEventElapsedTime) PL_NO_HOST(cudaEventDestroy)
PL_NO_HOST(cudaFuncSetAttribute) PL_NO_HOST(cudaFuncGetAttributes)
PL_NO_HOST(cudaGetDeviceProperties) PL_NO_HOST(cudaSetDevice)
PL_NO_HOST(cudaGetDevice) PL_NO_HOST(cudaDeviceGetAttribute)
PL_NO_HOST(cudaMemcpyToSymbol) PL_NO_HOST(cudaDeviceReset)
PL_NO_HOST(cudaLaunchKernel) PL_NO_HOST(cudaLaunchCooperativeKernel)
PL_NO_HOST(cudaOccupancyMaxActiveBlocksPerMultiprocessor)

#endif
