/* split.h - what a store that is made later than its fetch is told. Between split.c,
 * replay.c and remainders.c. */
#ifndef PL_SPLIT_H
#define PL_SPLIT_H

#include "copies.h"
#include "slices.h"

/* What the text that a store repeats names. */
typedef struct pl_mention {
  pl_loop *loop;
  const pl_copy *copy;
  bool stable;      /* every outer local named is stable */
  bool loaded;      /* a nested local named holds a loaded value */
  bool snapshot_ok; /* ... and each such is declared with it, once */
  const pl_decl *culprit;
  const struct pl_mention *outer; /* while the values of `of` are looked at */
  const pl_decl *of;
} pl_mention;

/* Sets ldg_id, where there is none yet; false. `name` goes behind the text. */
bool pl_cannot_split(pl_loop *loop, const char *id, const pl_node *at, const char *text,
                     pl_str name);

/* A parameter of a load helper's, which is its own: each of its halves has one,
 * and moves it on as the helper does. */
bool pl_is_own_param(const pl_fill *fill, const pl_decl *decl);
/* replay_members.c: whether a member of a method's object that `node` names, or
 * reads by a call, is moved on between its fetch and its store: by the method
 * itself, or by what stands beside it. One that stands for a tile stays where it
 * is. */
bool pl_names_moved_member(const pl_loop *loop, const pl_node *node);
/* Offset of the first store into a tile. */
uint32_t pl_first_store(const pl_fill *fill);
/* Where the last store of the fill ends. */
uint32_t pl_last_store(const pl_fill *fill);
/* Whether a local from outside the filling statements has the same value when the
 * store is replayed as where it is named: what changes it does so in front of
 * `named_at`, and of the stores or in a statement that is done with the fetch.
 * UINT32_MAX: wherever it is named. */
bool pl_is_stable(pl_loop *loop, const pl_decl *decl, uint32_t named_at);
/* Whether some statement inside the fill gives a nested local a value that comes
 * from memory; *only_init: and it is its initialiser alone. */
bool pl_holds_load(pl_loop *loop, const pl_decl *decl, bool *only_init);
/* The assignment, declaration or call that makes a write. */
pl_node *pl_written_by(const pl_effect *effect);

/* What a text names; `copy`: whose loads may be leaves of it, NULL: none. */
pl_mention pl_look_through(pl_loop *loop, const pl_copy *copy, pl_node *node);
/* Adds what one more text names; a name that stands at `named_at`; what a nested
 * local is given. */
void pl_look_at(pl_mention *m, pl_node *text);
void pl_look_at_name(pl_mention *m, pl_decl *decl, uint32_t named_at);
void pl_look_behind(pl_mention *m, pl_decl *decl);
/* What the guards and loops around a store, or around a call that stores, need
 * at replay, beside what it needs itself; false: refused. */
bool pl_check_around(pl_loop *loop, const pl_node *store, pl_mention m);
/* What the store's own index and the guards around it need at replay. */
bool pl_check_replay(pl_loop *loop, const pl_copy *copy);
/* remainders.c: what a smaller block leaves of a copy loop is fetched with the
 * stores; whether it finds what it names as the fetch did; false: refused. */
bool pl_check_remainders(pl_loop *loop);

#endif
