/* frontend_parts.h - the steps of the frontend that need no libclang.
 *
 * Clang gives cursors with offsets; macros, semicolons, header parts and
 * operator places are worked out here, from our own tokens. Only frontend_*.c
 * includes this. */
#ifndef PL_FRONTEND_PARTS_H
#define PL_FRONTEND_PARTS_H

#include "model.h"

#define PL_NONE UINT32_MAX

/* One use of a macro in the main file: its name with its arguments. Uses nest
 * where an argument holds another one. */
typedef struct pl_macro_use {
  pl_range range;
  uint32_t parent; /* the use in whose arguments it stands, or PL_NONE */
} pl_macro_use;

typedef struct pl_source {
  pl_unit *unit;
  pl_macro_use *uses; /* by begin, outer before inner */
  uint32_t *ends;     /* the uses' ends, ascending */
  size_t nuses, uses_cap;
  pl_range *skipped; /* what #if leaves out */
  size_t nskipped, skipped_cap;
} pl_source;

/* Uses are added in any order, then settled once, before any question. */
void pl_source_add_use(pl_source *source, pl_range range);
void pl_source_settle_uses(pl_source *source);

/* The use whose name begins at `offset`, or PL_NONE. */
uint32_t pl_source_use_at(const pl_source *source, uint32_t offset);

/* The file range of a node whose first token lies at `begin` and whose last
 * one ends at `end`. A node that begins or ends inside a macro's argument but
 * not in the same one grows to the whole use. */
pl_range pl_source_range(const pl_source *source, uint32_t begin, uint32_t end);

/* Sets from_macro and op_range of a node whose kind, range and kids are set,
 * and widens its range to the macro's use where its own tokens are the
 * macro's. */
void pl_source_own_tokens(const pl_source *source, pl_node *node);

/* ---- tokens ------------------------------------------------------------- */

/* The index of the bracket that closes the one at `open`, or PL_NONE. */
uint32_t pl_token_match(const pl_unit *unit, uint32_t open);

/* The end of the statement whose last token ends at `end`: behind the
 * semicolon where one follows, else `end`. */
uint32_t pl_statement_end(const pl_unit *unit, uint32_t end);

/* The two semicolons and the closing parenthesis of a `for` header; false
 * where the tokens at `begin` are no such header (a macro makes it). */
bool pl_for_header(const pl_unit *unit, uint32_t begin, uint32_t parts[3]);

/* ---- constants from tokens ---------------------------------------------- */

/* What a name in a constant expression stands for, NULL: unknown. */
typedef pl_decl *pl_name_lookup(void *context, pl_str name);

/* The tree of the constant expression between two token indices; NULL where
 * the small grammar here does not reach. Object-like macros of the main file
 * are followed. Nodes have their ranges and no types. */
pl_node *pl_parse_constant(const pl_unit *unit, uint32_t first, uint32_t last,
                           pl_name_lookup *lookup, void *context);

/* Text to append to the source, so that clang shows the arguments of explicit
 * instantiations (it has no cursor for them): a pointer to each. */
pl_str pl_explicit_instances(const pl_unit *unit);

/* The callee of an operator that is a member: its object is the first operand,
 * as in `object.operator()(...)`. */
pl_node *pl_operator_member(pl_arena *arena, pl_node *object,
                            const pl_decl *method, pl_str name);

/* ---- last steps, over the finished unit --------------------------------- */

/* Notes that the type of that canonical spelling is `type` in an instantiation;
 * not known where it was another one before. */
void pl_settle_type(pl_unit *unit, pl_instance *instance, pl_str spelling,
                    const pl_type *type);

/* Gives instantiations what their template's text says: names of types, of its
 * parameters, and which values are open (frontend_concrete.c). */
void pl_unit_align_instances(pl_unit *unit);

/* Names the callee of a dependent call where exactly one function of the unit
 * bears the name, and fills each kernel's launch sites' constants. */
void pl_unit_resolve_calls(pl_unit *unit);
/* Gives what instantiations have of folds over packs the range of the whole fold. */
void pl_unit_close_folds(pl_unit *unit);
void pl_launch_constants(pl_launch_site *site, const pl_func *caller);

/* Adds a problem for every run of tokens in a kernel's or device function's
 * body that no node covers. */
void pl_unit_check_coverage(const pl_source *source);

void pl_unit_add_problem(pl_unit *unit, pl_range range, pl_str message,
                         bool uncovered);
void pl_unit_sort_problems(pl_unit *unit);

#endif
