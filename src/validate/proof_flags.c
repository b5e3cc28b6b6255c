/* proof_flags.c - see proof_flags.h. */
#include "proof_flags.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "output.h"
#include "text.h"

pl_validate_flags pl_proof_flags(const pl_command *command) {
  const pl_clang_flags *flags = &command->clang;
  const char **dirs = pl_alloc(flags->count + 1, sizeof *dirs);
  const char **defines = pl_alloc(flags->count + 1, sizeof *defines);
  pl_validate_flags to = {.include_dirs = dirs, .defines = defines,
                          .standard = pl_clang_flags_standard(flags)};
  for (size_t i = 0; i < flags->count; i++) {
    const char *word = flags->arguments[i];
    if (strcmp(word, "-isystem") == 0 && i + 1 < flags->count)
      dirs[to.n_include_dirs++] = flags->arguments[++i];
    else if (pl_starts_with(word, "-I"))
      dirs[to.n_include_dirs++] = word + 2;
    else if (pl_starts_with(word, "-D"))
      defines[to.n_defines++] = word + 2;
  }
  return to;
}

void pl_proof_flags_free(pl_validate_flags *flags) {
  free((void *)flags->include_dirs);
  free((void *)flags->defines);
}

char *pl_proof_cache_dir(const pl_environment *env) {
  char *inside = env->cache_dir ? pl_format("%s/x", env->cache_dir) : NULL;
  bool made = inside && pl_make_parents(inside);
  free(inside);
  return made ? pl_format("%s", env->cache_dir) : NULL;
}
