/* events.h - what a tile loop and its pipelined text do to shared memory, as events.
 *
 * events_source.c reads the original loop, events_walk.c the emitted text, each by
 * its tree alone: nothing of the plan, and none of the code that made the text, is
 * asked. certificate.c compares the two. docs/certificate.md has the model.
 *
 * A form is over two names: T, how often the original loop runs, and k, the round of
 * the pipelined main loop. */
#ifndef PL_EVENTS_H
#define PL_EVENTS_H

#include "certificate.h"
#include "effects.h"
#include "integer_set.h"

enum { PL_MOST_SLOTS = 16 };
#define PL_NO_ITEM ((size_t)-1)

/* ---- the original loop ------------------------------------------------------ */

/* A shared object; that with decl NULL stands for everything else that others may
 * see: global memory, prints, shuffles. */
typedef struct pl_cell_object {
  const pl_decl *decl;  /* in the source */
  const pl_decl *after; /* in the emitted text; NULL: not seen yet */
  const pl_decl *stages; /* ... and what its slots are named by, if that is another */
  int64_t slots;        /* there; 0: not known yet */
  bool is_dynamic;      /* the launch says how large it is */
  bool is_carved;       /* ... and its stages but the first are shorter than it */
  bool is_used_ahead, is_used_behind; /* by a name outside of the loop's text */
  const pl_iform *slot_ahead, *slot_behind; /* which slot that is of; NULL: not known */
} pl_cell_object;

typedef struct pl_touch {
  size_t object;
  bool reads, writes;
} pl_touch;

/* A variable of the thread's own that the body sets. Its clock counts how many items
 * that set it have run: an iteration is `writers` of them. */
typedef struct pl_clocked {
  const pl_decl *decl;
  int writers;
  bool is_temporary; /* each iteration has its own: it is declared in the body, or */
  bool is_refreshed; /* ... nothing of it outlives an iteration */
  bool is_set_by_header; /* the init statement of a for gives it its value */
  bool is_scratch; /* every item sets it before it reads it: it has no clock */
} pl_clocked;

/* A use of a clocked variable, and how many of its writers stand before it. */
typedef struct pl_clock_use {
  size_t var;
  int before;
  bool writes;
} pl_clock_use;

/* A statement of the body, or of the header's step. */
typedef struct pl_item {
  pl_node *node;
  bool is_test;
  bool is_barrier;
  bool is_vote;             /* ... at which all threads meet, and get one answer */
  bool has_barrier;         /* inside, and more than that */
  int plain;                /* barriers that are items, before it */
  int first, last;          /* all of an iteration before its first access, and before
                               its last one, at most */
  pl_touch *touches;
  size_t ntouches, touches_cap;
  pl_touch follows;         /* what an address leads to that memory holds */
  bool has_hidden;  /* it uses a variable that it does not name */
  pl_decl **locals; /* variables of the thread's own that it reads or sets */
  size_t nlocals, locals_cap;
  pl_clock_use *uses;
  size_t nuses, uses_cap;
} pl_item;

/* The head of a loop that passes iterations by: `for (; c; ++t) { if (skips) continue;
 * ... }`, or `{ if (stays) { ... } ++t; }`. It is asked and moved on until an iteration
 * stays, so that it is a condition of those that do: T is how many there are. */
typedef struct pl_search {
  pl_node *body, *condition, *step; /* NULL: it has none */
  pl_node *stays; /* the `if` that the others pass by; what is behind it they do, too */
  size_t nhead; /* statements at the body's begin: breaks, skips, what they need */
  bool meets;   /* ... of which the first is a barrier */
} pl_search;

/* Whether a loop has such a head. */
bool pl_read_search(pl_node *loop, pl_search *made);
/* `more = true;` of one that does no more than that, and breaks; NULL: it does. */
pl_node *pl_search_found(const pl_search *search);
/* Whether a declaration of its head is asked for there; any other part is. */
bool pl_search_needs(const pl_search *search, size_t i);

typedef struct pl_source_loop {
  pl_arena *arena;
  pl_effect_context *effects;
  const pl_unit *unit;
  const pl_func *func;
  pl_node *node, *init, *condition;
  pl_node **breaks; /* conditions of breaks at the begin of the body, in order */
  size_t nbreaks, breaks_cap;
  int asked_behind; /* barriers that stand ahead of what is asked, which a thread comes to
                       once more than there are iterations, or not */
  bool has_vote;   /* the loop ends by one as well, which is an item, `vote`: T is how many
                      iterations there are by both, N by the condition alone */
  size_t vote;
  size_t asks;     /* the item that reads shared objects for those; PL_NO_ITEM: none */
  bool has_test;   /* the condition is an item, `test`, as it sets variables or is
                      asked behind others; no breaks are ahead of the items then */
  size_t test;
  bool is_late;    /* ... it is asked in each iteration whether there is one more:
                      there is a first in any case, and no item behind it in the last */
  bool has_first;  /* numbers say that there is a first one */
  bool is_negated; /* ... it is a break's */
  bool has_search; /* ... it is all of `search` */
  pl_search search;
  pl_item *items;
  size_t nitems, items_cap;
  pl_clocked *vars;
  size_t nvars, vars_cap;
  pl_cell_object *objects; /* the first is the one of everything else */
  size_t nobjects, objects_cap;
  int barriers;  /* of an iteration, at most */
  int certain;   /* ... at least */
  bool follows_memory; /* through addresses that it holds */
  pl_str unknown; /* why it cannot be read; empty: it is */
  const pl_node *unknown_at;
} pl_source_loop;

/* Reads a loop. */
void pl_read_source_loop(pl_source_loop *loop, pl_node *node);
/* Whether a barrier stands somewhere in a tree. */
bool pl_has_plain_barrier(const pl_node *node);
/* `__syncthreads_or(c)`, wherever it is in a tree. */
bool pl_has_vote(const pl_node *node);
/* `if (c) break;` */
bool pl_is_plain_break(const pl_node *node);
/* Whether a variable is one of a lambda's own, that a node outside may call. */
bool pl_is_callees_own(const pl_func *func, const pl_decl *decl, const pl_node *node);
/* The name of how many iterations there are by the condition. */
const char *pl_asked_bound(const pl_source_loop *loop);
/* Whether an item may run for a tile that a vote passes by: a load of it does no harm, as
 * legality_votes.c says. */
bool pl_may_pass_vote(const pl_source_loop *loop, size_t item);
/* How much more often than T an item runs: 0, 1 or -1. */
int pl_runs_beyond(const pl_source_loop *loop, size_t item);
/* Whether a variable is declared in a tree. */
bool pl_is_declared_in(const pl_decl *decl, const pl_node *node);
/* Whether an item writes an object, or reads it. */
bool pl_item_touches(const pl_item *item, size_t object, bool writes);
/* How it uses a variable; NULL: it does not. */
const pl_clock_use *pl_item_use(const pl_item *item, size_t var);
/* The variable, or object, that a name of the source stands for; the number of them:
 * none. */
size_t pl_clocked_of(const pl_source_loop *loop, const pl_decl *decl);
size_t pl_object_of(const pl_source_loop *loop, const pl_decl *decl);
/* Whether two objects may have cells in common. */
bool pl_may_be_one(const pl_source_loop *loop, size_t a, size_t b);

/* ---- the emitted text ------------------------------------------------------- */

/* Where in a thread's run something happens: ahead of the main loop, in its round k,
 * behind it; and which of those. */
typedef struct pl_moment {
  int section, at;
} pl_moment;

/* Of a pipeline whose threads have roles: which of them come to a place. Each role has a list
 * of events, and rounds, of its own. */
typedef enum pl_role { PL_ALL, PL_LOADS, PL_COMPUTES } pl_role;

/* An access that the emitted text makes, of some rounds. */
typedef struct pl_site {
  size_t object;
  pl_role role;
  bool reads, writes;
  bool is_copy;   /* asynchronous: it writes until a wait says that it has landed */
  size_t item;    /* of the source, that it stands for */
  bool is_verbatim; /* word for word; else a part of a load that was split */
  int run;        /* of accesses with nothing between that orders them */
  const pl_iset *when;
  const pl_iform *tile, *slot, *barriers, *group;
  /* Of the block's pipeline: how many stages were acquired, waited for, and released
   * ahead of it. */
  const pl_iform *acquired, *waited, *released;
  pl_moment moment;
  const pl_node *node;
} pl_site;

/* A wait: all groups before `until` have landed; those of all threads, where the
 * pipeline is the block's. */
typedef struct pl_wait_site {
  const pl_iset *when;
  const pl_iform *until, *barriers;
  pl_moment moment;
} pl_wait_site;

/* A part of a load, or an item, that writes an object; 0: variables of the thread's
 * own. */
typedef struct pl_part_site {
  const pl_node *node;
  size_t object;
  int section;
  bool is_verbatim, is_copy;
  size_t item;     /* of the source, where it is that, word for word */
  int arm;         /* of a choice between ways to load; 0: of none */
  pl_node *choice; /* ... the way that is taken where this holds; NULL: whatever does */
} pl_part_site;

typedef struct pl_emitted {
  pl_source_loop *source;
  pl_integers *integers;
  pl_effect_context *effects;
  const pl_unit *unit;
  const pl_func *func;
  pl_range region;
  const pl_range *all; /* ... and those of all loops that have certificates */
  size_t nall;
  pl_site *sites;
  size_t nsites, sites_cap;
  pl_site *names; /* of objects, in statements that use their addresses alone */
  size_t nnames, names_cap;
  pl_wait_site *waits;
  size_t nwaits, waits_cap;
  pl_part_site *parts;
  size_t nparts, parts_cap;
  int narms;
  int axes; /* of threads, along which loads were seen to differ: a bit each */
  struct pl_cell_names *cell_names; /* events_cell_values.c's; NULL: none was asked for */
  const pl_iform *barriers; /* in all */
  const pl_decl *pipeline;  /* the block's; NULL: groups are the thread's own */
  bool has_roles;           /* ... of which some threads load, and others compute */
  const pl_iform *loaded;   /* groups that the former commit in all */
  const pl_decl *meeting;   /* barriers, one a stage, at which the block meets */
  int64_t stages;           /* ... of either */
  bool counts_loads; /* of which nothing but their number says of which tile they are: what
                        looks wrong may be another tile's */
  bool leaves_addresses; /* of slots, in variables that outlive a round */
  char claim;    /* 'a' to 'd': that one does not hold; '?': it cannot be read; 0 */
  pl_str why;
  const pl_node *why_at;
} pl_emitted;

/* What does not hold of the text where some threads load, and others compute; else says so:
 * that there are twice as many threads must be the same to all that stands around the loop. */
void pl_check_layers(pl_emitted *out);
/* `if (threadIdx.z == 0) ...`: what the first layer of such threads alone does, and sets
 * nothing of the thread's own by; NULL: it is something else. */
const pl_node *pl_of_first_layer(const pl_emitted *out, const pl_node *node);
/* Executes the emitted text for any number of tiles. */
void pl_walk_emitted(pl_emitted *out);
/* Says why, once. */
void pl_emitted_fail(pl_emitted *out, char claim, const pl_node *at,
                     const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether an effect of a declaration is no more than that it makes an object, or names what a
 * reference in that is bound to. */
bool pl_is_of_making(const pl_decl *decl, const pl_effect *effect);

/* events_cells.c: whether loads that are in parts fill the cells that they filled, with
 * what they did; else it says so, or that this is open. Not told: only what looks wrong
 * is said, which may not be if more is asked. `memory` as of pl_certify. */
void pl_check_load_cells(pl_emitted *out, bool is_told, pl_memory *memory);

/* certificate_text.c: whether the text around the loop is the source's; else it says
 * so. */
void pl_check_text_around(pl_emitted *out);
/* The first node that the loop has become; NULL: there is none. */
const pl_node *pl_region_node(const pl_emitted *out);

/* Whether a variable may hold an address. */
bool pl_may_lead(const pl_decl *decl);

/* events_stages.c */
typedef struct pl_stages {
  const pl_decl *shared;
  int64_t n;
  const pl_type *type; /* of each; NULL: as large as the launch says */
  bool is_dynamic;     /* parts of a block of which the launch says how large it is */
  bool is_carved;      /* ... of which all but the first are shorter */
} pl_stages;

/* Whether a declaration of the text holds stages of a shared object. */
bool pl_stages_of(const pl_emitted *out, const pl_decl *decl, pl_stages *made);
/* `X_stage[n]`: by which name, and which one. */
bool pl_picked_stage(const pl_node *node, const pl_decl **stages, pl_node **index);
/* ... of the name in it; NULL: it picks none. */
pl_node *pl_stage_index(const pl_node *name);
/* Whether a statement of the text alone says where stages of dynamic shared memory
 * are, or traps where the launch does not give them. */
bool pl_declares_stages(const pl_emitted *out, const pl_node *node);

/* ---- trees ------------------------------------------------------------------- */

/* Whether a name of the source and one of the emitted text may be the same; or what picks
 * a stage there, a subscript or a member of one. */
typedef bool pl_same_name(const pl_node *was, const pl_node *is, void *context);
/* Whether two texts are the same but for blanks, line ends and a `;` behind them. */
bool pl_same_but_blanks(pl_str a, pl_str b);
bool pl_same_words(const pl_unit *before, const pl_node *was, const pl_unit *after,
                   const pl_node *is);
bool pl_same_tree(const pl_unit *before, const pl_node *was, const pl_unit *after,
                  const pl_node *is, pl_same_name *same, void *context);
/* ... where nodes that are not the same may be alike for a reason of their own. */
bool pl_alike_tree(const pl_unit *before, const pl_node *was, const pl_unit *after,
                   const pl_node *is, pl_same_name *same, pl_same_name *alike,
                   void *context);

#endif
