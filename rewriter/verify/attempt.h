/* attempt.h - one way of a source from bytes to bytes, what came of it, and what of
 * that is denied. */
#ifndef PL_ATTEMPT_H
#define PL_ATTEMPT_H

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
  bool with_toolkit; /* parse with its headers at once */
  const pl_unit *parsed_like; /* the frontend's; NULL: none */
  const pl_own_header *instead; /* headers with the text that a build sees of them */
  size_t ninstead;
  const pl_expanded *expanded;   /* NULL: that is the user's own text */
  pl_denials denied;             /* as they are now: the list may grow */
  const struct pl_attempt *like; /* take the variants that this one chose;
                                    NULL: choose */
  const struct pl_attempt *chosen; /* ... and whatever else its loops' options say: this
                                      text is its own with longer rows; NULL: choose */
  /* what comes of it */
  pl_str error; /* no translation unit: all below is empty */
  pl_unit *unit;
  pl_loops loops;
  pl_loops every; /* of all instantiations: what the loops were before one stood for all
                     of its text */
  pl_edit *edits;
  size_t nedits;
  pl_str text;
  const char *dump; /* of the pass that the options name; NULL: of none */
} pl_attempt;

/* Where a loop is in an attempt's text, from whichever unit it is. */
pl_range pl_range_in(const pl_attempt *attempt, const pl_loop *loop);
/* What is asked of the frontend for a text. */
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
 * loops that may not be rewritten; all of them where no one is to blame. Returns what
 * was parsed, in `arena`: whole trees where `whole`. NULL: there is nothing. */
pl_unit *pl_self_check(const pl_attempt *attempt, bool whole, pl_arena *arena,
                       pl_denials *denied);

/* Whether a text has no problem that the attempt's own source does not have. */
bool pl_parses_as_well(const pl_attempt *attempt, pl_str text);

/* The first macro in a part of the rewritten text, `after`, that makes another string,
 * or word, of its operands than any use in the source; empty: none does. */
pl_str pl_spelled_otherwise(const pl_attempt *attempt, const pl_unit *after,
                            pl_range region);

/* Where the text of a loop is once the edits are made. */
pl_range pl_region_after(const pl_attempt *attempt, const pl_loop *loop);

/* Whether rewritten loops are to be proven. */
bool pl_is_certified(const pl_options *options);

/* Proves the rewritten loops, as the options say: adds those that are seen to be wrong
 * (PL9002), and leaves with each what was found. `after`: the text, parsed whole. */
void pl_certify_attempt(const pl_attempt *attempt, pl_unit *after, pl_denials *denied);

#endif
