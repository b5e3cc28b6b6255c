/* assembly.h - inline assembly: its text, and PTX instruction by instruction. */
#ifndef PL_ASSEMBLY_H
#define PL_ASSEMBLY_H

#include "model.h"

/* Where inline assembly is written: its own text, or the body of the macro of the
 * file that is used there and is nothing else; empty: a macro hides it, or a part
 * of it, or it is in a header that is not the user's. */
pl_str pl_asm_source(const pl_unit *unit, const pl_node *node);
/* Whether a text is one statement of assembly whose strings are all written
 * there. */
bool pl_asm_is_plain(const pl_unit *unit, pl_str text);
/* How many of an assembly's operands its constraints make outputs, "=r" and
 * "+r"; all where its text is not known. For who makes its ival. */
int64_t pl_asm_outputs(const pl_unit *unit, const pl_node *node);
/* What inline assembly says: its strings ahead of the first colon, as one and
 * without comments, behind a blank. Strings that macros make are not in it. */
pl_str pl_assembly_text(const pl_unit *unit, const pl_node *node);

#define PL_MOST_PTX_OPERANDS 8

/* What stands at a place of the text: a label, or an instruction with what may stand
 * around it (PTX ISA, Instruction Statements). */
typedef struct pl_ptx {
  pl_str text;
  size_t at;        /* behind it; of what is not read yet: its begin */
  int depth;        /* blocks around it */
  pl_str label;     /* it is one; else empty */
  pl_str predicate; /* without '@' and '!'; empty: it is done always */
  bool negated;
  pl_str opcode;    /* with its modifiers; of a directive with its point, `.reg` */
  pl_str operands[PL_MOST_PTX_OPERANDS]; /* a list in brackets or braces is one */
  int noperands;
} pl_ptx;

/* Goes on to the next one; false: there is none. */
bool pl_ptx_next(pl_ptx *p);
/* The expression that `%k` stands for; NULL: the word is something else. */
pl_node *pl_ptx_operand(const pl_node *node, pl_str word);

#endif
