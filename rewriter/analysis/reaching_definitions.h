/* reaching_definitions.h - where a variable may have been given its value.
 *
 * Over the control-flow graph of a body, for its parameters and the numbers, pointers
 * and plain records that it declares. A definition is a declaration, an assignment, a step or
 * an output of assembly. Of a variable that has an address, or another name, or that
 * a lambda may set, nothing is known; nor of any where jumps are not. In a lambda, any
 * definition of a variable from outside may reach a use. */
#ifndef PL_REACHING_DEFINITIONS_H
#define PL_REACHING_DEFINITIONS_H

#include "answers.h"
#include "model.h"

/* Calls `visit` for each definition that may reach a use: VAR, ASSIGN, UNARY or ASM;
 * NULL: what it begins with, as a parameter. False: they are not known. */
bool pl_each_definition(const pl_node *ref, pl_visit *visit, void *context);
/* Whether a use finds what a parameter was handed. */
bool pl_is_as_handed(const pl_node *ref);
/* The initialiser of a variable, where a use finds what that gave it; NULL: another
 * definition may reach the use, or there is none. It dominates the use, so who goes
 * on from it to those of its own names comes to an end. */
pl_node *pl_reaching_initialiser(const pl_node *ref);

/* Whether a definition may lie on a way from `from`, whatever it does included, to
 * `to` that does not come past `from` again: to the begin of a statement with parts,
 * to the value of an expression. */
pl_answer pl_is_set_between(const pl_decl *decl, const pl_node *from,
                            const pl_node *to);
/* Whether what a variable holds where a loop is left, or where an iteration of it
 * begins, may be read. */
pl_answer pl_is_live_behind(const pl_decl *decl, const pl_node *loop);
pl_answer pl_is_live_around(const pl_decl *decl, const pl_node *loop);

/* What a text does to a variable first. */
typedef enum pl_first_use {
  PL_NO_USE, /* not on every path */
  PL_SETS,   /* all of it, before anything reads it */
  PL_READS   /* or may do so */
} pl_first_use;
pl_first_use pl_first_use_in(const pl_node *text, const pl_decl *decl);
/* The same by its names alone, also of a variable from outside of the lambda that the text
 * stands in, or that others set: that the text reaches it by no other name, and by no lambda
 * that it calls, is for who asks to know. */
pl_first_use pl_first_use_by_name(const pl_node *text, const pl_decl *decl);

#endif
