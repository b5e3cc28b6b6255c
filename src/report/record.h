/* record.h - what `pipelinify tune` has measured, written down beside the
 * source, so that a machine without a GPU repeats it. docs/records.md has the
 * format and the rules. */
#ifndef PL_RECORD_H
#define PL_RECORD_H

#include <jansson.h>
#include <stdbool.h>

#include "digest.h"
#include "pipelinify.h"

typedef struct pl_record pl_record;

/* The file that a source's choices stand in: `asked`, or, where that is NULL,
 * one beside the source. Free with free. */
char *pl_record_path(const char *asked, const char *source);

/* NULL for a file that does not exist, and for one that is no record that we
 * understand: then *problem says why (free with free), else it is NULL. A
 * record is believed as a whole or not at all. `source` is the file whose
 * kernels will be asked for. */
pl_record *pl_record_read(const char *path, const char *source,
                          char **problem);
void pl_record_free(pl_record *record);
/* For which architecture choices are asked (90 for sm_90; 0: for none): of several
 * machines' the nearest one's is given, of the same generation where there is one, and
 * of equal ones the last. */
void pl_record_prefer(pl_record *record, int arch);

/* Of the bytes of its file. */
const pl_digest *pl_record_digest(const pl_record *record);

/* pl_options.measured_choice; the context is a pl_record. */
bool pl_record_choice(const char *name, const char *fingerprint,
                      void *record, pl_choice *choice);

/* What was measured of this very kernel: {"gpu", "cuda", "variant", "stages",
 * "speedup", "why", "rows"}, the rows as in docs/records.md. A new reference;
 * NULL: nothing. */
json_t *pl_record_measured(const pl_record *record, const char *name,
                           const char *fingerprint);

/* One kernel's choice, to be written. */
typedef struct pl_record_entry {
  const char *source; /* a path; its last part is kept */
  const char *kernel, *fingerprint;
  const char *variant; /* "original", "auto", "ldg" ... */
  int stages;          /* 0: the variant's own */
  bool launch_bounds;  /* with those that leave more registers */
  bool row_padding;    /* with --row-padding=auto */
  const char *gpu, *cuda;
  int arch;            /* of that GPU; 0: not known */
  double speedup;      /* of the choice; 1 for the original */
  double min_gain;
  const char *why;
  json_t *table;       /* what was measured; borrowed */
} pl_record_entry;

/* Adds to the record at `path`, in place of what it says of these kernels on that
 * GPU, and of older texts of them on any.
 * False, and *problem, where the file is something else, or not writable. */
bool pl_record_add(const char *path, const pl_record_entry *entries, size_t n,
                   char **problem);

/* One record of several: each kernel's choice on each GPU, of a later file in place of
 * an earlier one's. Text of a JSON file; free with free. NULL, and *problem, which names
 * the file, where one of them is no record. */
char *pl_record_join(const char *const *paths, size_t n, char **problem);

#endif
