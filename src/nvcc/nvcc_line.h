/* nvcc_line.h - what a command line of nvcc asks for, as far as a launcher in
 * front of it has to know. */
#ifndef PL_NVCC_LINE_H
#define PL_NVCC_LINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pl_nvcc_line {
  char *const *words; /* the compiler first, perhaps behind other launchers */
  size_t count;
  size_t *sources; /* the words that name CUDA sources which it compiles */
  size_t nsources; /* 0: it compiles none, or only looks at them */
  const char *output, *output_dir; /* NULL: not given */
  const char *depfile;             /* of -MF; NULL */
  bool makes_depfile;              /* beside what it compiles */
} pl_nvcc_line;

/* The words have to outlive the result. */
pl_nvcc_line pl_nvcc_line_read(char *const *words, size_t count);
void pl_nvcc_line_free(pl_nvcc_line *line);

/* Where it writes a depfile of that source when nothing says where. Free with
 * free. */
char *pl_nvcc_line_depfile(const pl_nvcc_line *line, const char *source);

#endif
