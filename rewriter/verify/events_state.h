/* events_state.h - what a thread's variables are while the emitted text is executed
 * for any number of tiles. For the files events_*.c but events_source.c. */
#ifndef PL_EVENTS_STATE_H
#define PL_EVENTS_STATE_H

#include "events.h"

typedef enum pl_value_kind {
  PL_VALUE_UNKNOWN,
  PL_VALUE_UNSET,  /* source variable `of`, ahead of the header's init statement */
  PL_VALUE_NUMBER, /* n */
  PL_VALUE_CLOCK,  /* a version of source variable `of`, that many writers old */
  PL_VALUE_TEMPORARY, /* ... of the iteration for tile n (NULL: the same for all),
                         when `writers` of its own have run */
  PL_VALUE_NAME,   /* a reference to variable `to` */
  PL_VALUE_AGAIN,  /* what the source's variable `to` holds, from ahead of the loop, by
                      the slot that the text has in its object's place */
  PL_VALUE_SLOT,   /* a reference to slot n of object `of` */
  PL_VALUE_FETCHED /* made of `parts`, for a load */
} pl_value_kind;

/* What a fetched value was made of: a clock of a source variable, or (var ==
 * PL_NO_VAR) a tile. */
#define PL_NO_VAR ((size_t)-1)
typedef struct pl_part {
  size_t var;
  const pl_iform *n;
} pl_part;

typedef struct pl_parts {
  pl_part *items;
  size_t n, cap;
} pl_parts;

/* A slot that an address leads into. */
typedef struct pl_led_to {
  size_t object;
  const pl_iform *slot;
  const struct pl_led_to *next;
} pl_led_to;

typedef struct pl_value {
  pl_value_kind kind;
  const pl_iform *n;
  size_t of;
  int writers;
  const pl_decl *to;
  pl_parts parts;
  const pl_led_to *leads; /* of what may be an address, or a reference */
} pl_value;

/* Numbers that no variable of the text holds. */
typedef enum pl_counter {
  PL_BARRIERS,
  PL_GROUPS,  /* that were committed */
  PL_WAITED,  /* how many of them a wait for the oldest one has been for */
  PL_ACQUIRED, /* stages of the block's pipeline */
  PL_RELEASED,
  PL_COUNTERS
} pl_counter;

typedef struct pl_entry {
  const pl_decl *decl; /* NULL: a counter */
  size_t counter;      /* pl_counter, or PL_COUNTERS and an item: how often it ran */
  pl_value value;
} pl_entry;

typedef struct pl_env {
  pl_entry *items;
  size_t n, cap;
} pl_env;

typedef struct pl_walker {
  pl_emitted *out;
  pl_source_loop *source;
  pl_arena *arena;
  pl_integers *ints;
  pl_env env;
  const pl_iset *where; /* the values of T and k for which this is executed */
  pl_moment moment;
  int run;
  size_t last; /* the item that ran last */
  bool is_dry;   /* entries have names in the place of values: nothing is noted, and
                    nothing is compared */
  bool had_loop;
  int arm;         /* of a choice between ways to load; 0: of none */
  pl_node *choice; /* ... the way that is taken where this holds */
  pl_parts asked;  /* what such choices around are made of */
  const pl_node *exit; /* the break that ends the main loop; NULL: none */
  const pl_node *leaves; /* ... that ends it as its condition does; NULL: none */
  const pl_iset *left;   /* where that has ended it */
  pl_role role;
  bool has_layers;        /* the block has two, of whole warps, or is trapped */
  const pl_node *made_at; /* the block in which the barriers of the stages were made */
  bool has_ended;         /* ... they have ended */
} pl_walker;

/* ---- events_state.c ----------------------------------------------------------- */

pl_entry *pl_entry_of(pl_walker *w, const pl_decl *decl);
pl_entry *pl_counter_of(pl_walker *w, size_t counter);
/* The entry that a name leads to, through references. NULL: none. */
pl_entry *pl_resolve(pl_walker *w, const pl_decl *decl);
void pl_set_entry(pl_walker *w, const pl_decl *decl, pl_value value);
void pl_count_up(pl_walker *w, size_t counter);
const pl_iform *pl_number_in(pl_walker *w, int64_t value);
/* x ^ 1 of a number that is 0 or 1; NULL: it is not known to be. */
const pl_iform *pl_toggled(pl_walker *w, const pl_iform *a, const pl_node *by);

/* Whether a comparison holds wherever this is executed. In a dry run: yes. */
bool pl_holds(pl_walker *w, const pl_iform *a, pl_op op, const pl_iform *b);
/* NULL: not a number, or no condition, that is known. */
const pl_iform *pl_eval_form(pl_walker *w, pl_node *node);
const pl_iset *pl_eval_set(pl_walker *w, pl_node *node);
/* What two ways of a branch leave, where `where` says which. */
void pl_join_envs(pl_walker *w, const pl_iset *where, const pl_env *taken,
                  const pl_env *other);
pl_env pl_copy_env(pl_walker *w);
/* Whether the first of two has all of the second; both. */
bool pl_has_leads(const pl_led_to *leads, const pl_led_to *of);
const pl_led_to *pl_joined_leads(pl_walker *w, const pl_led_to *a, const pl_led_to *b);

/* ---- events_slots.c ----------------------------------------------------------- */

bool pl_is_in_region(const pl_walker *w, const pl_decl *decl);
/* The object that a declaration of the text is, or may be as it has kept its name;
 * the number of objects: none. */
size_t pl_object_after(const pl_walker *w, const pl_decl *decl);
size_t pl_object_for(pl_walker *w, const pl_decl *decl);
/* Makes stages those of an object, which has none yet or those; false: it has others, or
 * they are another's. */
bool pl_take_stages(pl_walker *w, size_t object, const pl_decl *named,
                    const pl_stages *stages);
/* Whether it has kept its name, with one slot. */
bool pl_is_kept(pl_walker *w, size_t object, const pl_decl *is);
/* The slots that the names in a statement lead to, of themselves or as addresses. */
const pl_led_to *pl_leads_of(pl_walker *w, pl_node *node);
/* ... those that a variable may lead to which the statement sets, an address or a number that
 * is one. */
const pl_led_to *pl_leads_for(pl_walker *w, const pl_decl *decl, pl_node *node);
/* Notes an access by its object, kind, item, tile and node. */
void pl_note_site(pl_walker *w, pl_site site);
/* What an item names of a tile and does not touch. `tile`: NULL: it is the same for all. */
void pl_note_names(pl_walker *w, size_t item, const pl_iform *tile, pl_node *node);

/* ---- events_items.c ----------------------------------------------------------- */

typedef struct pl_pair {
  size_t var;
  const pl_decl *decl; /* resolved */
} pl_pair;

typedef struct pl_pairing {
  pl_walker *walker;
  const pl_node *was, *is; /* what is compared */
  const pl_item *item;     /* NULL: no item's */
  pl_pair *items;
  size_t n, cap;
} pl_pairing;

void pl_add_pair(pl_pairing *p, size_t var, const pl_decl *decl);
/* Whether two trees are word for word the same, and which variables stand for each
 * other in them. */
bool pl_match_trees(pl_pairing *p, pl_walker *w, const pl_node *was, pl_node *is);
/* ... two more of a pairing. */
bool pl_match_more(pl_pairing *p, const pl_node *was, const pl_node *is);
/* The tile for which a version of a variable is as old as `before` of its writers
 * into an iteration make it. */
const pl_iform *pl_tile_of_clock(pl_walker *w, size_t var, const pl_iform *n,
                                 int before);
/* Whether two answers are one; *tile: the first. */
bool pl_tiles_agree(pl_walker *w, const pl_iform **tile, const pl_iform *other);
/* Executes a statement that is one of the source's, word for word; false: it is
 * none. */
bool pl_try_item(pl_walker *w, pl_node *node);
/* The header's init statement. */
bool pl_try_init(pl_walker *w, pl_node *node);
/* Whether a statement starts the source's loop, or declares what starts as that does. */
bool pl_is_start(pl_walker *w, pl_node *node);
/* A variable that is declared without a value, as a copy of one that has none either. */
bool pl_try_unset_copy(pl_walker *w, const pl_decl *decl);
/* ---- events_conditions.c ------------------------------------------------------ */

/* The tile whose loop condition an expression asks for, so that it is true where
 * that is before T; NULL: it is not the loop's condition. */
const pl_iform *pl_asked_tile(pl_walker *w, pl_node *node);
/* The same of an expression that is true where the loop ends. */
const pl_iform *pl_asked_tile_of_break(pl_walker *w, pl_node *node);
/* The tile whose vote an expression asks for, so that it is true where that is one of the
 * loop's, or (`ends`) where it is not; NULL: it is not the vote. */
const pl_iform *pl_voted_tile(pl_walker *w, pl_node *node, bool ends);
/* `more = false; for (...) { ...; more = true; break; }`: whether there is one more, by a
 * search. The loop; NULL: it is none. */
bool pl_try_search(pl_walker *w, pl_node *loop);
/* What an expression sets that asks so, or the contrary. */
void pl_do_test(pl_walker *w, pl_node *node);
/* Executes a statement that sets what the condition sets, and asks nothing. */
bool pl_try_step_of_test(pl_walker *w, pl_node *node);
/* ---- events_again.c ----------------------------------------------------------- */

/* A variable that is one of the source's from ahead of the loop, made anew. */
bool pl_try_made_again(pl_walker *w, pl_node *var);
/* ---- events_parts.c ----------------------------------------------------------- */

/* Notes that a statement writes an object, or (0) variables for one. `item`: which one of
 * the source it is word for word; PL_NO_ITEM: none. */
void pl_note_store(pl_walker *w, const pl_node *node, size_t object, size_t item,
                   bool is_copy);
/* Whether a node may read a variable before it gives it a value. */
bool pl_is_read_first(pl_effect_context *context, const pl_func *func, pl_node *node,
                      const pl_decl *decl);
/* Executes a part of a load: it fetches, stores what was fetched, or copies. */
void pl_do_part_of_load(pl_walker *w, pl_node *node);
/* The same of a variable's initialiser: what it is made of is the variable's. */
void pl_do_fetched(pl_walker *w, pl_node *var);

/* ---- events_loops.c ----------------------------------------------------------- */

void pl_do_main_loop(pl_walker *w, pl_node *node);

/* ---- events_functions.c ------------------------------------------------------- */

/* The lambda that a call runs, if it captures by reference alone; NULL: it runs none. */
pl_node *pl_local_function(const pl_unit *unit, const pl_node *call);
void pl_call_local(pl_walker *w, pl_node *call, pl_node *lambda);

/* ---- events_block.c ----------------------------------------------------------- */

/* Whether a shared object is what a pipeline, or the waits of stages, keep account by. */
bool pl_keeps_account(const pl_decl *decl);
/* Executes the declaration of a pipeline; false: it is none. */
bool pl_make_pipeline(pl_walker *w, const pl_decl *decl, const pl_node *init);
/* Executes a statement that makes, or ends, a barrier for each stage. */
bool pl_try_barriers(pl_walker *w, const pl_node *node);
/* Executes a statement that gives threads roles, or a barrier of those that compute. */
bool pl_try_roles(pl_walker *w, const pl_node *node);
/* ... a call that uses either. */
bool pl_try_block_call(pl_walker *w, const pl_node *node, pl_str name);
/* What holds of an asynchronous operation in a part of a load, if it is a bulk copy or names
 * a barrier; else says so. */
void pl_check_async_call(pl_walker *w, const pl_node *call);
/* What holds of them behind the text; else says so. */
void pl_check_account(pl_walker *w);

/* ---- events_walk.c ------------------------------------------------------------ */

/* A wait for all groups before `until`; all threads meet. */
void pl_note_wait(pl_walker *w, const pl_iform *until);
void pl_do_barrier(pl_walker *w);

void pl_do_statement(pl_walker *w, pl_node *node);
/* The variables of a declaration from the one with that number on. */
void pl_do_declarations(pl_walker *w, pl_node *node, uint32_t first);

#endif
