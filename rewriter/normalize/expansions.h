/* expansions.h - what may stand in the place of a macro's use, or of a statement.
 *
 * Only macros.c, expansions.c, plainer.c, callbacks.c, callback_words.c, forwarding.c,
 * inlining.c, strips.c, zeros.c,
 * apart.h and linear.c include this. */
#ifndef PL_EXPANSIONS_H
#define PL_EXPANSIONS_H

#include "rewrite.h"

/* What is to stand in the place of a part of a text. */
typedef struct pl_replacement {
  pl_range range;
  pl_str text;
} pl_replacement;

typedef struct pl_replacements {
  pl_replacement *items;
  size_t n, cap;
  bool renames; /* some put a name that is not the user's */
  bool for_async; /* some serve asynchronous copies alone */
  pl_made_name *renamed; /* for one of theirs; NULL: none */
} pl_replacements;

/* `#define NAME(params) body`, the one definition that the file has. */
typedef struct pl_macro {
  pl_str name;
  bool takes; /* a list of arguments */
  bool own_lines; /* the body begins behind the line of its #define */
  pl_str *params;
  size_t nparams, params_cap;
  pl_str body; /* without continuations */
  pl_token *tokens; /* of the body */
  uint32_t ntokens;
} pl_macro;

typedef struct pl_macro_use {
  pl_range range;
  pl_str *args;
  size_t n, cap;
} pl_macro_use;

/* expansions.c: what could be replaced in an attempt's text, of each loop. */
pl_replacements pl_all_replacements(const pl_attempt *attempt);

/* macros.c */

/* Takes the macro that is used at a token; false: there is none, or its body may
 * not stand there. *m and *u are zeroed. */
bool pl_macro_used(const pl_unit *unit, uint32_t token, pl_macro *m,
                   pl_macro_use *u);
/* Whether the text of a use is a name that stands for one number in every build:
 * the file defines it, once, under no #if. */
bool pl_macro_is_number(const pl_unit *unit, pl_range use);
/* The definition of a name, where the file has one, in no #if, ahead of `offset`,
 * and never takes it back. *m is zeroed. */
bool pl_macro_named(const pl_unit *unit, pl_str name, uint32_t offset,
                    pl_macro *m);
/* Whether a body may say a name, by way of other macros, too. */
bool pl_macro_leads_to(const pl_unit *unit, const pl_macro *m, pl_str name);
/* Whether the body makes more than a part of an expression. */
bool pl_macro_makes_statements(const pl_macro *m);
/* Whether a token of the body is a word. */
bool pl_macro_token_is(const pl_macro *m, uint32_t token, const char *word);
bool pl_macro_has(const pl_macro *m, const char *word);
/* The body with its arguments, in lines of the use's indentation. */
pl_str pl_macro_text(const pl_unit *unit, const pl_macro *m,
                     const pl_macro_use *u);
/* The blanks in front of the line that holds an offset. */
pl_str pl_indent_at(const pl_unit *unit, uint32_t offset);
/* Without the blanks and ends of lines around it. */
pl_str pl_str_trimmed(pl_str text);


/* plainer.c: adds statements that loops are refused for, in a form that they are
 * not refused for, perhaps. */
void pl_plainer_forms(const pl_attempt *attempt, pl_replacements *out);

/* callbacks.c: puts helpers that the load phase of a refused loop hands lambdas to in
 * the place of their calls. */
void pl_callbacks_in_place(const pl_loop *loop, pl_arena *arena,
                           pl_replacements *out);

/* forwarding.c: puts what a local between load and store holds into the store, of
 * loops that it keeps from asynchronous copies. */
void pl_values_in_place(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* strips.c: makes a loop over tiles of one that refills a tile now and then. */
void pl_strip_mine(const pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* inlining.c: puts a helper that waits at a barrier in the place of its call in a
 * refused loop. */
void pl_helpers_in_place(const pl_loop *loop, pl_arena *arena,
                         pl_replacements *out);

/* callback_words.c: whether a word of a helper's text means in its caller's what it
 * means there. */
bool pl_word_stays(const pl_unit *unit, const pl_func *helper,
                   const pl_func *caller, pl_str word);
/* Whether every build that has the text at an offset has the helper, ahead of it. */
bool pl_helper_is_there(const pl_unit *unit, const pl_func *helper,
                        uint32_t offset);
/* Whether a token is a name by itself, no member's and none of a scope's. */
bool pl_is_name_at(const pl_unit *unit, uint32_t token);
/* Whether a range says such a name, or a macro in it may. (What a macro stands for
 * is not looked at for dots.) */
bool pl_says_name(const pl_unit *unit, pl_range range, pl_str name);
/* Whether a word is a macro that may say a name. */
bool pl_macro_may_say(const pl_unit *unit, pl_str macro, pl_str name);

/* A statement's range, with the blanks and the end of the line before it where it is
 * the last on its line. */
pl_range pl_with_line(const pl_unit *unit, pl_range range);

/* zeros.c: puts the first of two stores to a cell behind an else, where the second one
 * stands under a guard. */
void pl_zeros_as_else(const pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* apart.c: gives the loads of a loop that is refused for a variable which compute
 * uses for something else a variable of their own, all of it or nothing. */
void pl_names_apart(const pl_loop *loop, pl_arena *arena, pl_replacements *out);

#endif
