/* answer.h - what became of one source, wherever that is from: the library, or
 * the cache. */
#ifndef PL_ANSWER_H
#define PL_ANSWER_H

#include <stddef.h>

#include "codec.h"
#include "pipelinify.h"
#include "source.h"

/* As the library's functions give it; the strings belong to it, or to whatever
 * the answer was read from. */
typedef struct pl_answer {
  const char *text; /* the rewritten one */
  size_t length;
  const pl_kernel_report *kernels;
  size_t nkernels;
  const pl_pragma_report *pragmas;
  size_t npragmas;
  const pl_gap *gaps;
  size_t ngaps;
  const pl_edit *edits;
  size_t nedits;
  const char *const *headers;
  size_t nheaders;
  const char *dump;
} pl_answer;

/* A view of a result without an error, valid as long as that. */
pl_answer pl_answer_from(const pl_result *result);

/* All but the text, which the edits make of the source, and the dump. */
void pl_answer_fields(pl_codec *codec, pl_answer *answer);

/* The source with the edits made, in an arena. False: they do not fit it. */
bool pl_answer_make_text(pl_answer *answer, const pl_source *source,
                         pl_arena *arena);

#endif
