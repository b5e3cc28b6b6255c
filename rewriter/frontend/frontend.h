/* frontend.h - bytes to model. The files clang_*.c read what libclang says, and
 * are the only ones that see clang-c; frontend_*.c need no libclang. */
#ifndef PL_FRONTEND_H
#define PL_FRONTEND_H

#include "model.h"

/* Statements that are looked for in bodies. */
typedef struct pl_wanted_place {
  pl_range range;
  const void *what; /* is looked for there */
} pl_wanted_place;

typedef struct pl_wanted {
  const pl_wanted_place *places;
  size_t nplaces;
  /* Whether a statement may be one; its text may lack its end. */
  bool (*may_be_one)(const void *what, pl_str text);
} pl_wanted;

typedef struct pl_parse_request {
  const char *path;        /* of the source, as given; need not exist ("-") */
  pl_str text;             /* the bytes to parse */
  const char *const *args; /* the user's -I, -D, -std ...; nvcc-only flags out */
  size_t nargs;
  const char *cuda_path;   /* toolkit, NULL: none */
  bool force_toolkit;      /* parse with the toolkit's headers at once */
  int arch;                /* 80 for sm_80: __CUDA_ARCH__ is arch * 10 */
  const pl_unit *like;     /* of the text that this one comes from: headers that were of no
                              use to that are not tried where no more of this one is
                              broken; NULL: none */
  bool with_usual_headers; /* as if the source included what the headers of
                              libraries, which are not found, often bring */
  const char *precompiled_shim; /* that pl_frontend_save_shim made; NULL: none */
  const pl_own_header *instead; /* headers that have another text than on disk */
  size_t ninstead;
  const pl_wanted *wanted; /* bodies may lack other statements, and the unit what
                              only an analysis asks: who is named where, headers,
                              text that clang shows nothing of; NULL: all is there */
} pl_parse_request;

/* Loads libclang, once for a process; what else is here does so itself. NULL, or
 * why it cannot be loaded. */
const char *pl_frontend_load(void);

/* Before it is loaded: it is this file, whatever the build found; NULL: the
 * build's. The text is the caller's and stays. */
void pl_frontend_use(const char *file);

/* The files of libclang and of its LLVM, as the build found them; one that
 * it did not is "". The list ends with NULL. */
const char *const *pl_frontend_libraries(void);

/* Returns the unit (its problems say what is wrong with it), or NULL with
 * *error set where libclang gives no translation unit at all. Everything is
 * allocated in `arena`; libclang is shut down before the call returns. */
pl_unit *pl_parse(pl_arena *arena, const pl_parse_request *request,
                  pl_str *error);

/* What a precompiled shim for the request's source depends on, beside
 * libclang: the arguments and the headers, a line each. Nothing where none can
 * be made. */
pl_str pl_frontend_shim_key(pl_arena *arena, const pl_parse_request *request);

/* Parses the shim's headers that the request's source includes and saves what
 * clang made of them, for other parses whose key is the same. False: the file
 * could not be written. */
bool pl_frontend_save_shim(pl_arena *arena, const pl_parse_request *request,
                  const char *path);

/* libclang's own version string, or why there is none, cut to `size` - 1 bytes. */
void pl_frontend_version(char *buffer, size_t size);

/* The number that an expression of a host function comes to, through variables that
 * are set where they are declared alone; false: it is not constant. */
bool pl_host_number(const pl_node *node, const pl_func *caller, int64_t *number);

#endif
