/* expansions.h - what may stand in the place of a macro's use, or of a statement. */
#ifndef PL_EXPANSIONS_H
#define PL_EXPANSIONS_H

#include "macros.h"
#include "attempt.h"

/* What is to stand in the place of a part of a text. */
typedef struct pl_replacement {
  pl_range range;
  pl_str text;
} pl_replacement;

/* What is asked of a replacement whose text says something twice, or copies what stands
 * elsewhere. */
typedef struct pl_said {
  pl_str text, once; /* the replacement's; without what it says a second time */
  pl_range also;     /* what it is to say beside what it replaces; empty: nothing */
  const struct pl_said *next;
} pl_said;

/* A function that a replacement puts into a text, which stays where the rewritten text
 * calls it. */
typedef struct pl_put_func {
  pl_str text, name; /* of the replacement; of the function */
  const struct pl_put_func *next;
} pl_put_func;

/* What the source has in the place of a range of a text, where something around is rewritten
 * and no edit touches that range. */
typedef struct pl_said_otherwise {
  pl_range range;
  pl_str text;
  pl_range with; /* only where this range is edited */
  const struct pl_said_otherwise *next;
} pl_said_otherwise;

typedef struct pl_replacements {
  pl_replacement *items;
  size_t n, cap;
  bool renames; /* some put a name that is not the user's */
  bool for_async; /* some serve asynchronous copies alone */
  pl_made_name *renamed; /* for one of theirs; NULL: none */
  const struct pl_put_func *funcs; /* functions that some put into the text */
  const pl_said_otherwise *otherwise; /* of some, by their ranges of the text */
  const pl_said *said; /* of some, by their texts */
  const pl_changed_loop *waited; /* loops whose waits some take away; of the text */
  const pl_changed_loop *undone; /* loops of which some take a buffer away */
} pl_replacements;

/* ---- expansions.c ------------------------------------------------------- */

void pl_put(pl_arena *arena, pl_replacements *out, pl_range range, pl_str text);
/* Adds a replacement that says parts of its range's text twice; `once` does not. What it says
 * of another range as well, or of none, is to be all that stands there. */
void pl_put_saying(pl_arena *arena, pl_replacements *out, pl_replacement one, pl_str once,
                   pl_range also);
/* Adds those of `own`, which stay with `own`. */
void pl_put_all(pl_arena *arena, pl_replacements *out, const pl_replacements *own);
/* Adds a replacement in whose place the source gets a text of its own where a range of the
 * text, a loop's, is edited. */
void pl_replace_with(pl_arena *arena, pl_replacements *out, pl_replacement one, pl_str said,
                     pl_range with);

/* Whether a word is a macro that may be other text in another build: it is no number, and is
 * not defined once and for all in the file, or by way of such a one. */
bool pl_is_open_macro(const pl_unit *unit, pl_arena *arena, uint32_t token);

/* Makes a text in which macros' uses, and statements, are replaced that loops of an
 * attempt are refused for; false: there are none. */
bool pl_expand_macros(const pl_attempt *attempt, const pl_expanded *from,
                      pl_expanded *to);
/* Makes a text with padding behind the rows of tiles; false: there is none to be. */
bool pl_pad_rows(const pl_attempt *attempt, const pl_expanded *from, pl_expanded *to);
/* Makes edits of the text edits of the source. */
void pl_edits_of_source(pl_arena *arena, const pl_expanded *expanded,
                        pl_edit **edits, size_t *nedits);

/* Whether each loop of an attempt that is rewritten has all, or nothing, of each loop
 * whose waits were taken away. */
bool pl_waits_stay_together(const pl_attempt *attempt, const pl_expanded *of);

/* The text of a range with its parts replaced, which are put in order; false: two of
 * them overlap, or one leaves the range. */
bool pl_replaced_text(const pl_unit *unit, pl_arena *arena, pl_range range,
                      pl_replacements *parts, pl_str *text);
/* `base`, or with a number behind it, as long as no word of the text is that. */
pl_str pl_name_not_taken(const pl_unit *unit, pl_arena *arena, pl_str base);

/* plainer.c: adds statements that a loop is refused for, in a form that it is not refused
 * for, perhaps. */
void pl_plainer_forms(pl_loop *loop, pl_arena *arena, pl_replacements *out);
/* Puts what the blocks of a loop's body hold that have barriers in the place of the blocks. */
void pl_open_blocks(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* waited_copies.c: puts plain copies in the place of asynchronous ones, all of which a
 * refused loop waits for in the iteration that makes them. */
void pl_copies_that_are_waited_for(const pl_attempt *attempt, const pl_loop *loop,
                                   pl_replacements *out);

/* wait_at_end.c: puts the wait that an iteration begins with at its end, too, and in front
 * of the loop. */
void pl_wait_at_end(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* Whether a name of the loop's text means something of the loop's own in one place and
 * something else in another: moved, it could come to mean that. */
bool pl_has_two_meanings(const pl_loop *loop);

/* one_buffer.c: puts a loop with one buffer in the place of one that alternates between two
 * by hand, where more stages are asked for. Notes what keeps it from that, or that it could. */
void pl_with_one_buffer(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* rotation.c: turns a loop that loads the next tile behind the use of the one before, so
 * that it loads first. */
void pl_turn_loop(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* midway.c: puts the first use of a tile in front of an endless loop that is left ahead of
 * the refill, so that the loop asks first. */
void pl_turn_at_exit(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* forwarding.c: puts what a local between load and store holds into the store, of
 * loops that it keeps from asynchronous copies. */
void pl_values_in_place(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* queues.c: puts a load in the place of a value that fills a tile, and that registers hand on
 * from the iteration that has loaded it. */
void pl_load_handed_on(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* strips.c: makes a loop over tiles of one that refills a tile now and then. */
void pl_strip_mine(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* inlining.c: puts a helper that waits at a barrier, or that the load phase hands a lambda
 * to, in the place of its call in a refused loop. */
void pl_helpers_in_place(pl_loop *loop, pl_arena *arena,
                         pl_replacements *out);

/* inlining_words.c: whether a word of a helper's text means in its caller's what it
 * means there. */
bool pl_word_stays(const pl_unit *unit, const pl_func *helper,
                   const pl_func *caller, pl_str word);
/* Whether every build that has the text at an offset has the helper, ahead of it. */
bool pl_helper_is_there(const pl_unit *unit, const pl_func *helper,
                        uint32_t offset);
/* Whether each build that has one of two ranges has the other: no #if begins or ends
 * between them. */
bool pl_is_there_as_well(const pl_unit *unit, pl_range a, pl_range b);
/* Whether two methods are defined in one class. */
bool pl_is_one_class(const pl_unit *unit, const pl_func *a, const pl_func *b);
/* Whether a token is a name by itself, no member's and none of a scope's. */
bool pl_is_name_at(const pl_unit *unit, uint32_t token);
/* Whether a range says such a name, or a macro in it may. (What a macro stands for
 * is not looked at for dots.) */
bool pl_says_name(const pl_unit *unit, pl_range range, pl_str name);

/* A statement's range, with the blanks and the end of the line before it where it is
 * the last on its line. */
pl_range pl_with_line(const pl_unit *unit, pl_range range);

/* own_tiles.c: declares a shared object of a device function's own in the place of a
 * tile that its callers pass it, and have no other use for. */
void pl_tiles_as_own(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* row_padding.c: whether some loop's options ask for padding; the bounds of tiles, and
 * what else says how far their rows are apart, with it. Says with each loop what is so. */
bool pl_pads_rows(const pl_attempt *attempt);
pl_replacements pl_row_padding(const pl_attempt *attempt);

/* carved.c: lets pointers to parts of a block of dynamic shared memory that lie apart from
 * its tiles lead to objects of their own. */
void pl_parts_apart(const pl_attempt *attempt, pl_loop *loop, pl_replacements *out);

/* Whether what lies in the block beside its tiles, or in a record in static memory, may be why
 * a loop has one buffer, or is refused. */
bool pl_asks_for_parts(const pl_loop *loop, bool is_static);

/* records.c: makes objects of the members of a record in static shared memory. */
void pl_record_as_objects(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* zeros.c: puts the first of two stores to a cell behind an else, where the second one
 * stands under a guard. */
void pl_zeros_as_else(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* apart.c: gives the loads of a loop that is refused for a variable which compute
 * uses for something else a variable of their own, all of it or nothing. */
void pl_names_apart(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* By where they begin, for qsort. */
int pl_by_place(const void *x, const void *y);
/* A text whose lines begin with `to` where they began with `from`. */
pl_str pl_reindented(pl_arena *arena, pl_str text, pl_str from, pl_str to);
/* A test: declares a variable of a name, a pl_str. */
bool pl_declares_named(pl_node *node, const void *name);

#endif
