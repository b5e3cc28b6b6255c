/* nvcc_flags.h - makes clang arguments of what follows `--`.
 *
 * People paste their nvcc command line there. Include paths and macros matter,
 * under nvcc's names or clang's; the rest is dropped, and said so under -v. */
#ifndef PL_NVCC_FLAGS_H
#define PL_NVCC_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pl_clang_flags {
  const char **arguments; /* for clang */
  size_t count;
  const char **dropped; /* words that were left out */
  size_t ndropped;
  int arch;      /* 90 where -arch or -gencode said so; 0 */
  char **owned;  /* memory of words that are not the user's own */
  size_t nowned;
} pl_clang_flags;

/* The words of `flags` have to outlive the result. */
pl_clang_flags pl_clang_flags_from(const char *const *flags, size_t count);
/* Makes the paths of includes absolute that are relative to `directory`. */
void pl_clang_flags_rebase(pl_clang_flags *flags, const char *directory);
/* The C++ that is asked for, where it is newer than 17: 20, 23. Else 0. */
int pl_clang_flags_standard(const pl_clang_flags *flags);
void pl_clang_flags_free(pl_clang_flags *flags);

/* A word of nvcc's command line that is one of its flags. */
typedef struct pl_nvcc_word {
  const char *name;  /* the long one, where there is one: "--output-file" */
  const char *value; /* NULL: it has none */
  size_t words;      /* that it takes: 2 where its value is the next one */
} pl_nvcc_word;
/* False: the first of `count` words is no flag that we know. */
bool pl_nvcc_word_read(const char *const *words, size_t count,
                       pl_nvcc_word *word);

/* The number in sm_90, sm_90a, compute_90, arch=compute_90,code=sm_90 or 90;
 * 0 where there is none. */
int pl_arch_number(const char *text);

#endif
