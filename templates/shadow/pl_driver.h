/* pl_driver.h - the CUDA driver, as it is found where the program runs.
 *
 * Everything here asks the driver, not the runtime: a failed call then leaves
 * the program's own cudaGetLastError() alone. Names and numbers are those of
 * the driver's binary interface, which has stayed the same since CUDA 11. */
#ifndef PL_DRIVER_H
#define PL_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <string>

namespace pl {

typedef unsigned long long address;

enum {
  DRIVER_MEMORY_TYPE = 2,
  DRIVER_RANGE_START = 11,
  DRIVER_RANGE_SIZE = 12,
  DRIVER_TYPE_HOST = 1,
  DRIVER_TYPE_ARRAY = 3,
  DRIVER_MAX_DYNAMIC_SHARED = 8,
  DRIVER_CARVEOUT = 9,
  DRIVER_NON_PORTABLE_CLUSTER = 14,
  DRIVER_L2_BYTES = 38,
  DRIVER_NOT_READY = 600,
  DRIVER_JIT_FATBINARY = 2
};

/* CUlaunchConfig, which the driver's headers have had since 11.8. */
struct launch_config {
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned n_attributes;
};

/* X(result, member, symbol, parameters): needed, or optional at the end. */
#define PL_DRIVER_NEEDED(X)                                                    \
  X(context, "cuCtxGetCurrent", (void **))                                     \
  X(device, "cuCtxGetDevice", (int *))                                         \
  X(device_name, "cuDeviceGetName", (char *, int, int))                        \
  X(version, "cuDriverGetVersion", (int *))                                    \
  X(synchronize, "cuCtxSynchronize", (void))                                   \
  X(pointer, "cuPointerGetAttribute", (void *, int, address))                  \
  X(range, "cuMemGetAddressRange_v2", (address *, size_t *, address))          \
  X(copy, "cuMemcpy", (address, address, size_t))                              \
  X(load, "cuModuleLoadData", (void **, const void *))                         \
  X(find, "cuModuleGetFunction", (void **, void *, const char *))              \
  X(global, "cuModuleGetGlobal_v2",                                            \
    (address *, size_t *, void *, const char *))                               \
  X(module_of, "cuFuncGetModule", (void **, void *))                           \
  X(get, "cuFuncGetAttribute", (int *, int, void *))                           \
  X(set, "cuFuncSetAttribute", (void *, int, int))                             \
  X(name_of, "cuFuncGetName", (const char **, void *))                         \
  X(launch, "cuLaunchKernel",                                                  \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,       \
     unsigned, void *, void **, void **))                                      \
  X(is_capturing, "cuStreamIsCapturing", (void *, int *))                      \
  X(query, "cuStreamQuery", (void *))                                          \
  X(error_name, "cuGetErrorName", (int, const char **))

#define PL_DRIVER_OPTIONAL(X)                                                  \
  X(make_event, "cuEventCreate", (void **, unsigned))                          \
  X(note_event, "cuEventRecord", (void *, void *))                             \
  X(elapsed, "cuEventElapsedTime", (float *, void *, void *))                  \
  X(drop_event, "cuEventDestroy_v2", (void *))                                 \
  X(device_attribute, "cuDeviceGetAttribute", (int *, int, int))               \
  X(allocate, "cuMemAlloc_v2", (address *, size_t))                            \
  X(release, "cuMemFree_v2", (address))                                        \
  X(fill, "cuMemsetD8Async", (address, unsigned char, size_t, void *))         \
  X(of_kernel, "cuKernelGetFunction", (void **, void *))                       \
  X(launch_cooperative, "cuLaunchCooperativeKernel",                           \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,       \
     unsigned, void *, void **))                                               \
  X(launch_extended, "cuLaunchKernelEx",                                       \
    (const launch_config *, void *, void **, void **))                         \
  X(link, "cuLinkCreate_v2", (unsigned, int *, void **, void **))              \
  X(link_add, "cuLinkAddData_v2",                                              \
    (void *, int, void *, size_t, const char *, unsigned, int *, void **))     \
  X(link_done, "cuLinkComplete", (void *, void **, size_t *))

struct driver {
#define X(member, symbol, parameters) int(*member) parameters;
  PL_DRIVER_NEEDED(X)
  PL_DRIVER_OPTIONAL(X)
#undef X
  std::string missing; /* why it cannot be used; empty: it can */
};

inline driver load_driver() {
  driver d = {};
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    d.missing = "no CUDA driver";
    return d;
  }
#define X(member, symbol, parameters)                                          \
  *(void **)&d.member = dlsym(library, symbol);                                \
  if (!d.member)                                                               \
    d.missing = "the CUDA driver is too old: no " symbol;
  PL_DRIVER_NEEDED(X)
#undef X
#define X(member, symbol, parameters)                                          \
  *(void **)&d.member = dlsym(library, symbol);
  PL_DRIVER_OPTIONAL(X)
#undef X
  return d;
}

inline driver &cuda() {
  static driver *d = new driver(load_driver());
  return *d;
}

inline std::string error_text(int error) {
  const char *name = nullptr;
  if (cuda().error_name(error, &name) == 0 && name)
    return name;
  return "error " + std::to_string(error);
}

} // namespace pl

#endif
