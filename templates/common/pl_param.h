/* pl_param.h - what a runner is told about a kernel's parameters.
 *
 * The emulator and the GPU harness carry a copy each beside their own headers. */
#ifndef PL_PARAM_H
#define PL_PARAM_H

enum pl_kind {
  PL_KIND_OTHER,
  PL_KIND_SIGNED,
  PL_KIND_UNSIGNED,
  PL_KIND_FLOAT,
  PL_KIND_HALF,
  PL_KIND_BFLOAT16,
  PL_KIND_BOOL
};

/* For a pointer, kind and sizes are those of the element it points to. An
 * element of several lanes (float4) has the kind of one lane. */
struct pl_param {
  int is_pointer, is_const, kind;
  unsigned size, lanes;
};

#endif
