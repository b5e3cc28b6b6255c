/* generated.h - kernel_pipe.cu, which is kept in step with kernel.cu, and products
 * that were written elsewhere.
 *
 * Such a file ends with a line that says what it was made of and how it read
 *
 *   // pipelinify: generated from kernel.cu, source HASH, text HASH
 *
 * so that a file that someone edited, or that was never ours, is not
 * overwritten. In the products of -o and --out-dir it begins "written from":
 * they are ordinary sources to a later run. Such a product has the hash of its
 * text in its mark too (attributes.h): a copy of what did not change has no line
 * of ours, and a line may be removed. The hashes do not count carriage returns:
 * git may change them. */
#ifndef PL_GENERATED_H
#define PL_GENERATED_H

#include <stdbool.h>
#include <stddef.h>

#include "attributes.h"
#include "output.h"
#include "source.h"

typedef enum pl_generated_state {
  PL_GENERATED_CURRENT, /* these bytes, line ends aside */
  PL_GENERATED_MISSING,
  PL_GENERATED_STALE,  /* ours, of another source or version */
  PL_GENERATED_EDITED, /* ours, and changed since */
  PL_GENERATED_FOREIGN /* not ours */
} pl_generated_state;

/* "missing", "stale", "edited by hand", ... */
const char *pl_generated_name(pl_generated_state state);

/* The rewritten text with its last line. Free its data with free. */
pl_bytes pl_generated_text(const pl_source *source, const char *text,
                           size_t length);
/* The same for -o and --out-dir. */
pl_bytes pl_written_text(const pl_source *source, const char *text,
                         size_t length);

/* What is at `path`, against the text that should be. */
pl_generated_state pl_generated_at(const char *path, const pl_bytes *wanted);

/* The mark of a text. */
void pl_generated_mark(const pl_bytes *text, char mark[PL_MARK_SIZE]);

/* Whether a source is itself a generated file. */
bool pl_is_generated(const pl_source *source);
/* Whether it, or what it was copied from, came of any run. */
bool pl_is_stamped(const pl_source *source);

/* Inputs that are generated files give way to their sources, and each source
 * stays once. Rewrites the array in place; strings that it makes go to
 * `owned`, which has room for `count`. Returns how many are left. */
size_t pl_generated_to_sources(const char **inputs, size_t count,
                               const char *suffix, char **owned);

#endif
