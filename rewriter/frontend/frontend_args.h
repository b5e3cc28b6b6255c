/* frontend_args.h - what clang is told: arguments, and files in memory.
 *
 * No clang here: frontend_clang.c hands the lists over. Only frontend_*.c
 * includes this. */
#ifndef PL_FRONTEND_ARGS_H
#define PL_FRONTEND_ARGS_H

#include "frontend.h"

/* The shim's files stand here; the directory must not exist. */
#define PL_SHIM_DIR "/.pipelinify/shim"
/* What the toolkit's headers need beside themselves. */
#define PL_SUPPLEMENT_DIR "/.pipelinify/supplement"

/* A file that exists only in memory. */
typedef struct pl_memory_file {
  const char *path;
  const char *data;
  size_t size;
} pl_memory_file;

typedef struct pl_clang_call {
  pl_arena *arena;
  const char *main_name; /* the source's */
  const char *root; /* the file that clang is given: the source, or one that
                       includes it */
  const char **args;
  size_t nargs, args_cap;
  pl_memory_file *files; /* the source first */
  size_t nfiles, files_cap;
} pl_clang_call;

/* A parse of `text`, which is the request's with what was put behind it. With
 * the shim, or with the toolkit's headers. Of `unit` the text and its tokens are
 * asked. */
pl_clang_call pl_clang_call_for(const pl_unit *unit,
                                const pl_parse_request *request, pl_str text,
                                bool shim);

/* A parse of those of the shim's headers alone that the request's source
 * includes, with the arguments that say how they are read. Its main file
 * includes them. */
pl_clang_call pl_shim_call_for(pl_arena *arena,
                               const pl_parse_request *request);

/* Adds the names of the macros that the shim's headers define to the unit's:
 * libclang does not show those of a precompiled shim. */
void pl_add_shim_macros(pl_unit *unit);
/* Whether a word stands anywhere in the shim's headers. */
bool pl_shim_says(pl_str word);

#endif
