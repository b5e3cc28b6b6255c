/* fake_cuda.h - a CUDA driver without a GPU, for tests of the checker: device
 * memory is the host's, a kernel is a function, a module is a table of them.
 * Built as libcuda.so.1. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>

extern "C" {

typedef void fake_kernel(void **arguments);

/* A CUfunction of the program, which the driver knows by this name. */
void *fake_program_kernel(const char *name, fake_kernel *run);
/* What the rewritten file's module holds under the same name; NULL: nothing. */
void fake_rewritten_kernel(const char *name, fake_kernel *run);
/* Likewise of the second form's module, whose image is "second". */
void fake_second_kernel(const char *name, fake_kernel *run);
/* What a launch takes in the pretended time of events, milliseconds. */
void fake_takes(fake_kernel *run, float ms);
/* A variable, once in the program and once beside the rewritten kernels. */
void fake_variable(const char *name, void *original, void *twin, size_t size);
void *fake_allocate(size_t size);
/* What the next synchronisation, and every one behind it, says. */
void fake_break(int error);
void fake_capture(int is_capturing);
void fake_never_ready(int stays);
void fake_refuse_launches(int error);
/* z of the block of the rewritten kernel's launch. */
unsigned fake_layers();
void fake_forget(void);

int fake_launch(void *function, void **arguments);
}

#endif
