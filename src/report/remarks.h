/* remarks.h - says what became of each loop, in clang's layout:
 *
 *   k.cu:40:5: remark: in 'rows': loop not pipelined: ... [-Rpass-missed=..] [PL3001]
 *      40 |     As[ty][tx] *= 2;
 *         |     ^~~~~~~~~~
 *   k.cu:14:3: note: the loop begins here */
#ifndef PL_REMARKS_H
#define PL_REMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pipelinify.h"
#include "source.h"

typedef struct pl_remark_style {
  bool verbose; /* budgets, choices, loops that are no tile loops */
  bool color;
  int arch; /* budgets of this one alone; 0: of all */
  bool all_selected; /* no kernel was left out by name: what is left alone, a comment
                        in the file leaves alone */
} pl_remark_style;

/* Returns how many loops it spoke of. */
size_t pl_remarks_print(FILE *out, const pl_source *source,
                        const pl_kernel_report *kernels, size_t count,
                        pl_remark_style style);

/* A note of its own; line 0: about the source as a whole. */
void pl_remarks_print_note(FILE *out, const pl_source *source,
                           const pl_note *note, pl_remark_style style);

/* What `lint` has found, and who does what when. */
void pl_remarks_print_finding(FILE *out, const pl_source *source,
                              const pl_lint_finding *finding, pl_remark_style style);

/* The pragmas that come to nothing, as warnings; an unmet `require` is an
 * error. */
void pl_remarks_print_pragmas(FILE *out, const pl_source *source,
                              const pl_pragma_report *pragmas, size_t count,
                              pl_remark_style style);

/* What a remark says between "remark: " and the brackets. Free with free. */
char *pl_loop_sentence(const pl_loop_report *loop);

/* The words that a remark about a verdict begins with, by the verdict's name in
 * the JSON report; "" for a name that is none. */
const char *pl_verdict_lead(const char *verdict_name);

/* "cp.async, 3 stages, 8192 -> 24576 B shared" of a pipelined loop. Free with
 * free. */
char *pl_loop_outcome(const pl_loop_report *loop);

#endif
