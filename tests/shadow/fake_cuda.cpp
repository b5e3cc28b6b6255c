/* fake_cuda.cpp - see fake_cuda.h. */
#include "fake_cuda.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

typedef unsigned long long address;

struct function {
  std::string name;
  fake_kernel *run;
};

struct variable {
  void *original, *twin;
  size_t size;
};

struct state {
  std::vector<function *> program;
  std::map<std::string, function *> rewritten, second;
  std::map<fake_kernel *, float> takes;
  float clock = 0; /* milliseconds */
  std::map<std::string, variable> variables;
  std::map<address, size_t> memory;
  int error = 0, capturing = 0, never_ready = 0, refuse = 0;
  unsigned layers = 0; /* z of the block that the driver was asked for last */
} s;

int of_program, of_rewritten, of_second, empty; /* their addresses are the modules */

bool find(address at, address *begin, size_t *size) {
  for (auto &m : s.memory)
    if (at >= m.first && at - m.first < m.second) {
      *begin = m.first;
      *size = m.second;
      return true;
    }
  return false;
}

} // namespace

extern "C" {

void *fake_program_kernel(const char *name, fake_kernel *run) {
  s.program.push_back(new function{name, run});
  return s.program.back();
}
void fake_rewritten_kernel(const char *name, fake_kernel *run) {
  s.rewritten[name] = new function{name, run};
}
void fake_second_kernel(const char *name, fake_kernel *run) {
  s.second[name] = new function{name, run};
}
void fake_takes(fake_kernel *run, float ms) { s.takes[run] = ms; }
void fake_variable(const char *name, void *original, void *twin, size_t size) {
  s.variables[name] = {original, twin, size};
}
void *fake_allocate(size_t size) {
  void *memory = aligned_alloc(256, (size + 255) / 256 * 256);
  memset(memory, 0, size);
  s.memory[(address)memory] = size;
  return memory;
}
void fake_break(int error) { s.error = error; }
void fake_capture(int is_capturing) { s.capturing = is_capturing; }
void fake_never_ready(int stays) { s.never_ready = stays; }
unsigned fake_layers() { return s.layers; }
void fake_refuse_launches(int error) { s.refuse = error; }
void fake_forget(void) { s = state(); }

int fake_launch(void *f, void **arguments) {
  s.clock += s.takes[((function *)f)->run];
  ((function *)f)->run(arguments);
  return 0;
}

/* ---- the driver's own names ----------------------------------------------- */

int cuCtxGetCurrent(void **context) { return *context = &s, 0; }
int cuCtxGetDevice(int *device) { return *device = 0, 0; }
int cuDeviceGetName(char *name, int size, int) {
  return strncpy(name, "a pretended GPU", (size_t)size), 0;
}
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuCtxSynchronize(void) { return s.error; }
int cuPointerGetAttribute(void *data, int what, address at) {
  address begin;
  size_t size;
  if (!find(at, &begin, &size))
    return 1;
  switch (what) {
  case 2: return *(int *)data = 2, 0;
  case 11: return *(address *)data = begin, 0;
  case 12: return *(size_t *)data = size, 0;
  default: return 1;
  }
}
int cuMemGetAddressRange_v2(address *begin, size_t *size, address at) {
  return find(at, begin, size) ? 0 : 1;
}
int cuMemcpy(address to, address from, size_t size) {
  return memcpy((void *)to, (const void *)from, size), s.error;
}
/* Images are texts: "image" is whole, "relocatable" is to be linked. */
int cuModuleLoadData(void **module, const void *image) {
  bool second = strcmp((const char *)image, "second") == 0;
  bool whole = second || strcmp((const char *)image, "image") == 0;
  *module = second ? &of_second : whole ? &of_rewritten : &empty;
  return whole || strcmp((const char *)image, "relocatable") == 0 ? 0 : 1;
}
int cuLinkCreate_v2(unsigned, int *, void **, void **link) {
  return *link = &empty, 0;
}
int cuLinkAddData_v2(void *, int, void *image, size_t size, const char *,
                     unsigned, int *, void **) {
  return std::string((char *)image, size) == "relocatable" ? 0 : 1;
}
int cuLinkComplete(void *, void **cubin, size_t *size) {
  return *cubin = (void *)"image", *size = 6, 0;
}
int cuModuleGetFunction(void **f, void *module, const char *name) {
  auto &kernels = module == &of_second ? s.second : s.rewritten;
  auto found = kernels.find(name);
  if (strcmp(name, "pl_shadow_rewritten") == 0)
    return *f = module, 0;
  if (found == kernels.end() || module == &empty)
    return 500;
  return *f = found->second, 0;
}
int cuModuleGetGlobal_v2(address *at, size_t *size, void *module,
                         const char *name) {
  auto found = s.variables.find(name);
  if (found == s.variables.end())
    return 500;
  variable &v = found->second;
  *at = (address)(module == &of_program ? v.original : v.twin);
  *size = v.size;
  return *at ? 0 : 500;
}
int cuFuncGetModule(void **module, void *) {
  return *module = &of_program, 0;
}
int cuFuncGetAttribute(int *value, int, void *) { return *value = 0, 0; }
int cuFuncSetAttribute(void *, int, int) { return 0; }
int cuFuncGetName(const char **name, void *f) {
  return *name = ((function *)f)->name.c_str(), 0;
}
int cuLaunchKernel(void *f, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned z, unsigned, void *, void **arguments, void **) {
  s.layers = z;
  if (s.refuse)
    return s.refuse;
  return fake_launch(f, arguments);
}
int cuStreamIsCapturing(void *, int *status) {
  return *status = s.capturing, 0;
}
int cuStreamQuery(void *) { return s.never_ready ? 600 : s.error; }
int cuGetErrorName(int error, const char **name) {
  *name = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return 0;
}

/* ---- events: an event is a time of the pretended clock -------------------- */

int cuEventCreate(void **event, unsigned) { return *event = new float, 0; }
int cuEventDestroy_v2(void *event) { return delete (float *)event, 0; }
int cuEventRecord(void *event, void *) {
  return *(float *)event = s.clock, s.error;
}
int cuEventElapsedTime(float *ms, void *begin, void *end) {
  return *ms = *(float *)end - *(float *)begin, 0;
}
int cuDeviceGetAttribute(int *value, int, int) { return *value = 4096, 0; }
int cuMemAlloc_v2(address *at, size_t size) {
  return *at = (address)fake_allocate(size), 0;
}
int cuMemFree_v2(address at) { return s.memory.erase(at), 0; }
/* It takes its time, which no measurement may show. */
int cuMemsetD8Async(address at, unsigned char value, size_t size, void *) {
  s.clock += 1000;
  return memset((void *)at, value, size), 0;
}
}
