/* legality_parts.h - what legality.c and its neighbours share.
 *
 * A rule refuses the loop and returns false, or returns true: rules.def has them all.
 * Only legality*.c and the divergence of tiles' threads (participants.c) include this. */
#ifndef PL_LEGALITY_PARTS_H
#define PL_LEGALITY_PARTS_H

#include "divergence.h"

/* What a rule asks about. */
typedef enum pl_rule_stage {
  PL_RULE_TEXT,     /* can the text be taken apart, and asked for what it needs? */
  PL_RULE_PHASES,   /* does each phase do what it may? */
  PL_RULE_BARRIERS, /* who waits, and for what? */
  PL_RULE_CONTROL,  /* who makes which iterations? */
  PL_RULE_MEMORY,   /* does a load find earlier what it would have found? */
  PL_RULE_ESCAPES,  /* are all uses of a tile seen? */
  PL_RULE_NAMES     /* can names be rebound? */
} pl_rule_stage;

/* A row of rules.def. */
typedef struct pl_rule {
  const char *name; /* of its function, without pl_check_ or pl_find_ */
  pl_rule_stage stage;
  const char *ids;  /* that it refuses for, with blanks in between */
  const char *question;
  bool (*check)(pl_loop *loop); /* false: it has refused; NULL: it only marks */
  void (*find)(pl_loop *loop);
} pl_rule;

/* All of them, in the order in which they are asked. */
const pl_rule *pl_rules(size_t *count);

#define PL_RULE(function, stage, ids, question)                                \
  bool pl_check_##function(pl_loop *loop);
#define PL_MARK(function, stage, question) void pl_find_##function(pl_loop *loop);
#include "rules.def"
#undef PL_RULE
#undef PL_MARK

/* ---- legality_phases.c ---------------------------------------------------- */

/* Whether two accesses may be of one object, one of them a write. */
bool pl_may_meet(const pl_loop *loop, const pl_effect *a, const pl_effect *b);
bool pl_is_constant(pl_root root);

/* ---- legality_memory.c ---------------------------------------------------- */

/* Whether an access may be of shared memory: by an address that is not followed, or
 * that is read from memory where the file puts one of a shared object. */
bool pl_may_be_shared(const pl_loop *loop, const pl_effect *access);

/* ---- legality_directives.c ------------------------------------------------ */

/* Whether a statement is `using namespace N;`, and what it says of names. */
bool pl_is_directive(const pl_loop *loop, const pl_node *stmt);
bool pl_check_directive(pl_loop *loop, size_t index);

#endif
