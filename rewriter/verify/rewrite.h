/* rewrite.h - one way of a source from bytes to bytes, and what is asked of its
 * outcome. Between pipelinify.c, attempt.c, self_check.c, branches.c,
 * branch_choices.c, branch_names.c and report_unit.c. */
#ifndef PL_REWRITE_H
#define PL_REWRITE_H

#include "frontend.h"
#include "loop.h"

/* A loop that the passes would rewrite and that is left all the same. */
typedef struct pl_denial {
  uint32_t loop; /* where it begins */
  pl_variant variant; /* that alone; auto: any */
  const char *id;
  pl_range at;   /* the place to show; empty: the loop */
  pl_str message;
  bool barrier; /* nothing is denied: the barrier behind the loop stays */
} pl_denial;

typedef struct pl_denials {
  pl_denial *items;
  size_t n, cap;
} pl_denials;

typedef struct pl_attempt {
  pl_arena *arena;
  const char *path;
  const pl_options *options;
  pl_str source;
  const pl_expanded *expanded;   /* NULL: that is the user's own text */
  pl_denials denied;             /* as they are now: the list may grow */
  const struct pl_attempt *like; /* take the variants that this one chose;
                                    NULL: choose */
  /* what comes of it */
  pl_str error; /* no translation unit: all below is empty */
  pl_unit *unit;
  pl_loops loops;
  pl_edit *edits;
  size_t nedits;
  pl_str text;
  const char *dump; /* of the pass that the options name; NULL: of none */
  const struct pl_taken_over *joined; /* some loops, and their edits, are those of
                                         another attempt; NULL: none */
} pl_attempt;

/* Kernels that need no other text than the source, and that stand alone in it. */
typedef struct pl_taken_over {
  const pl_attempt *first; /* on the source, with all loops */
  const pl_func **funcs;   /* of its unit */
  size_t n, cap;
  pl_expanded source; /* without their bodies */
  pl_attempt rest;    /* the first, without their loops */
} pl_taken_over;

/* expansions.c */

/* Makes a text in which macros' uses, and statements, are replaced that loops of an
 * attempt are refused for; false: there are none. */
bool pl_expand_macros(const pl_attempt *attempt, const pl_expanded *from,
                      pl_expanded *to);
/* Makes edits of the text edits of the source; how many are left. */
size_t pl_edits_of_source(pl_arena *arena, const pl_expanded *expanded,
                          pl_edit *edits, size_t nedits);

/* taken_over.c */

/* Finds such kernels in an attempt on the source that asks for another text; false:
 * there are none. */
bool pl_take_over(const pl_attempt *first, const pl_expanded *source,
                  pl_taken_over *taken);
/* An attempt on a text that was made of the source without those bodies, as one on
 * all of the file; *of: that text with the bodies. NULL: the file's own edits of the
 * two do not go together. Not checked yet. */
pl_attempt *pl_join(const pl_taken_over *taken, const pl_attempt *second,
                    pl_expanded *of);
/* Where a loop is in an attempt's text, from whichever unit it is. */
pl_range pl_range_in(const pl_attempt *attempt, const pl_loop *loop);
/* pl_report_unit of an attempt, joined or not. */
pl_kernel_report *pl_report_attempt(const pl_attempt *attempt, size_t *count);
/* gaps.c: what of the kernels was not seen, by the loops as they were settled. */
pl_gap *pl_find_gaps(pl_arena *arena, const pl_unit *unit, const pl_loops *loops,
                     size_t *count);
/* pl_check_pragmas of an attempt, joined or not. */
void pl_check_pragmas_of(const pl_attempt *attempt, pl_pragma_list *out);

/* All passes, once. */
void pl_attempt_run(pl_attempt *attempt);

pl_parse_request pl_request_for(const char *path, pl_str text,
                                const pl_options *options);

/* A text with its edits made. */
pl_str pl_apply_edits(pl_arena *arena, pl_str text, const pl_edit *edits,
                      size_t n);

/* Denies a loop the variant that it got, or (`any`) every one. */
void pl_deny(const pl_attempt *attempt, const pl_loop *loop, bool any,
             const char *id, pl_str message, pl_denials *denied);

/* The rewritten text must parse as well as the source did, every rewritten
 * kernel without an error, and what was moved must mean what it did. Adds the
 * loops that may not be rewritten; all of them where no one is to blame. */
void pl_self_check(const pl_attempt *attempt, pl_denials *denied);

/* Loops with an #if inside: every build must see in the rewritten text what it
 * would see if the text had no #if. Adds the loops where one would not. */
void pl_check_branches(const pl_attempt *attempt, pl_denials *denied);

/* branch_choices.c: the token of the #endif of the group that one begins. */
uint32_t pl_end_of_group(const pl_unit *unit, uint32_t at);
/* Whether a directive asks for the architecture, or for what a `-D` says, and
 * chooses what a loop calls, or what its function does besides. Where the loop
 * stands below it, such a build alone has it. Outside functions there has to be a
 * choice: a macro that is given a value where it has none is none. */
bool pl_chooses_for(const pl_loop *loop, uint32_t at);

/* Whether tokens from `first` to before `last` define what a loop calls, or a macro
 * or type that it uses. */
bool pl_has_a_say(const pl_loop *loop, uint32_t first, uint32_t last);

/* instances.c: leaves one loop for each text of all that are planned. */
void pl_join_instances(pl_loops *loops);

pl_kernel_report *pl_report_unit(pl_arena *arena, const pl_unit *unit,
                                 const pl_loops *loops,
                                 const pl_options *options, size_t *count);

#endif
