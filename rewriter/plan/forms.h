/* forms.h - the forms that a loop can be pipelined to. Each is one file,
 * forms/NAME.c, and one row of pipelinify_forms.def (beside pipelinify.h, which names them). */
#ifndef PL_FORMS_H
#define PL_FORMS_H

#include "loop.h"
#include "schedule.h"

/* How a form's asynchronous copies are written. */
typedef struct pl_copy_words {
  const char *header; /* to be included: "<cuda_pipeline.h>" */
  const char *known_by; /* a file that includes a header of this name has it */
  const char *group_header, *group_known_by; /* one more, NULL: none */
  /* What copies and waits name, NULL: they name nothing. `object` makes it,
   * `parameter` is how a load helper is handed it, NULL: it is not. */
  const char *name, *object, *parameter;
  const char *state; /* declares what of it is in shared memory, NULL: nothing; ... */
  int state_bytes, stage_bytes; /* ... its bytes, and those for each stage beside */
  const char *end; /* behind the loop, and a barrier, where threads may come to it again */
  const char *acquire, *commit, *wait, *wait_oldest, *release; /* statements */
  const char *issued; /* a statement behind a tile's copies, where there is a tile */
  const char *meet;   /* of PL_STEP_MEET */
  const char *order;  /* a barrier of the threads that compute, where others load */
  const char *copy; /* an expression */
  const char *copy_or_zeros; /* the same with $ZEROS, of the bytes those that become
                                zero without a look at $FROM; NULL: has no word for that */
  const char *together; /* a statement that all threads make: copies $BYTES between them;
                           NULL: has no word for that */
  /* Of bulk copies, NULL: the form makes none. `elects` is the header of what one thread
   * does: `fence` ahead of the rows, statements; `row` for each, of $BYTES. */
  const char *elects, *fence, *row;
  /* In these, $NAME stands for the object's name (which need not be `name`), $STATE
   * for that of its state, $N for a number of batches, in `state`, `object` and `end` of
   * buffers, $STAGE for the index of the tile's buffer, $TO, $FROM and $BYTES for what a
   * copy is asked. Two blanks at the begin of a line are one level. */
} pl_copy_words;

/* What stands for the words that begin with a dollar. */
typedef struct pl_copy_values {
  pl_str name, n, stage, to, from, bytes, zeros, state;
} pl_copy_values;

/* A text of pl_copy_words with the values in it. */
pl_str pl_copy_text(pl_arena *arena, const char *words,
                    const pl_copy_values *values);

/* In which order `auto` asks the forms, those of a rank in the order of their rows. */
typedef enum pl_rank {
  PL_RANK_DEEP,   /* only more tiles in flight help */
  PL_RANK_WIDE,   /* copies of 16 bytes pay in any case */
  PL_RANK_NARROW, /* narrow ones pay here; compute waits for no loads of its own */
  PL_RANK_MIXED,
  PL_RANK_STAGED, /* through registers */
  PL_RANK_NOT_STAGED,
  PL_RANK_ONE_BUFFER,
  PL_RANKS
} pl_rank;

/* Where a form is expected to pay: takes the loop (plan.h: pl_try_stages,
 * pl_try_staging) and says why, or gives false. */
typedef struct pl_offer {
  pl_rank rank;
  bool (*take)(pl_loop *loop); /* NULL: behind the last */
} pl_offer;

typedef struct pl_form {
  const pl_schedule *schedule;
  bool registers, async;      /* which way tiles go; both: some this way, some that */
  const pl_copy_words *words; /* of asynchronous copies; NULL: makes none */
  int usual;                  /* buffers where nobody asks for a number */
  const pl_offer *offers;     /* NULL: `auto` never takes it */
  /* The ID of what keeps a loop from this form besides what its ways ask for; sets
   * `why`. NULL: nothing. */
  const char *(*obstacle)(const pl_loop *loop, pl_str *why);
} pl_form;

/* A row of pipelinify_forms.def. */
typedef struct pl_form_row {
  const pl_form *form;
  pl_variant variant;
  int least, most;
} pl_form_row;

const pl_form_row *pl_form_rows(size_t *count);
/* The form with so many stages that has no obstacle in a loop, or of any loop (NULL);
 * `mixed`: for tiles that go two ways. NULL: the variant has none. */
const pl_form *pl_form_for(const pl_loop *loop, pl_variant variant, int stages,
                           bool mixed);
/* The form that was chosen, NULL: none was. */
const pl_form *pl_form_of(const pl_loop *loop);
/* What the forms of a variant have against a loop, all of them; see obstacle. */
const char *pl_form_obstacle(const pl_loop *loop, pl_variant variant, pl_str *why);
/* Whether tiles can go two ways in a variant. */
bool pl_variant_mixes(pl_variant variant);
/* The stages of a variant where nobody asks for a number. */
int pl_variant_usual(pl_variant variant);
/* Whether the load side gets ahead of the compute side by more than a round, as
 * far as is decided. */
bool pl_leads_far(const pl_loop *loop);

/* An obstacle of forms that begin to load before the first tile's round: where the
 * block may vote to leave, no more than one tile is loaded ahead of the vote. */
const char *pl_votes_first(const pl_loop *loop, pl_str *why);

/* An obstacle of forms whose waits are for all threads of the block: those that have
 * left, or take another way, would be waited for. */
const char *pl_all_take_part(const pl_loop *loop, pl_str *why);
/* The same, but for threads that returned ahead of the loop, where the form does without
 * them. */
const char *pl_those_left_take_part(const pl_loop *loop, pl_str *why);
/* All take part, and what is asked of forms that copy whole rows (plan_rows.c). */
const char *pl_needs_rows(const pl_loop *loop, pl_str *why);
/* That, and those of threads that do nothing but load (plan_roles.c). */
const char *pl_others_can_load(const pl_loop *loop, pl_str *why);
/* A token of a kernel's header, the number of tokens: it has none. */
uint32_t pl_header_token(const pl_unit *unit, const pl_func *func, const char *word);
/* Whether a loop is written with such threads. */
bool pl_has_roles(const pl_loop *loop);
/* Bytes that a loop's form of a variant has in shared memory beside so many stages. */
int64_t pl_state_bytes(const pl_loop *loop, pl_variant variant, int stages);

/* How `__pipeline_memcpy_async` and its like are written, and copies of a pipeline of
 * the block. */
extern const pl_copy_words pl_words_of_primitives, pl_words_of_block;

/* schedule_check.c: refuses loops whose form's order is wrong. */
void pl_check_schedules(pl_loops *loops);

#endif
