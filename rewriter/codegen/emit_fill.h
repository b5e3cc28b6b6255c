/* emit_fill.h - what emit_fill.c (the fill as a whole) and its parts share.
 *
 * Views of text live as long as the unit; text that is made lies in the
 * emitter's arena. */
#ifndef PL_EMIT_FILL_H
#define PL_EMIT_FILL_H

#include "emit.h"

/* emit_fill_text.c */

pl_str pl_between(const pl_emitter *e, uint32_t begin, uint32_t end);
/* Without blanks around it and semicolons behind. */
pl_str pl_trimmed(pl_str text);
/* The two sides of a store, as they are spelt. */
pl_str pl_left_text(const pl_emitter *e, const pl_copy *copy);
pl_str pl_right_text(const pl_emitter *e, const pl_copy *copy);
pl_str pl_node_text(const pl_emitter *e, const pl_node *node);
/* What a memcpy writes to and reads, as its arguments are spelt; the function's
 * name. */
pl_str pl_bytes_to(const pl_emitter *e, const pl_copy *copy);
pl_str pl_bytes_from(const pl_emitter *e, const pl_copy *copy);
pl_str pl_bytes_callee(const pl_emitter *e, const pl_copy *copy);
/* The text between the parentheses that follow a keyword. */
pl_str pl_header_text(const pl_emitter *e, const pl_node *node);
/* In parentheses, unless it is a name or a number. */
pl_str pl_grouped(pl_emitter *e, const pl_node *node);
/* A type as it is written, without const and reference. */
pl_str pl_plain_type(pl_emitter *e, const pl_type *type);
/* A part of the user's statement `from` behind another text: lines of it that are lined up
 * with its begin, or stand further in, stay so. */
pl_str pl_behind(pl_emitter *e, pl_str before, pl_str text, const pl_node *from);
/* New text for a statement, indented as `from` was. */
void pl_emit_statement(pl_emitter *e, int level, pl_str text,
                       const pl_node *from);
/* Comments, and pragmas if asked for, between `after` and a statement. */
void pl_emit_leading(pl_emitter *e, int level, uint32_t after,
                     const pl_node *node, bool pragmas);
/* The pragmas directly above a statement. */
void pl_emit_pragmas(pl_emitter *e, int level, const pl_node *node);
/* The comment that ends a statement's line, with the blank before it; and in a line of its
 * own, above the statements that stand for that one. */
pl_str pl_trailing_comment(const pl_emitter *e, const pl_node *node);
void pl_emit_comment_above(pl_emitter *e, int level, const pl_node *node);
/* What is said of a body behind its header: `if (c) // inside`, `else { // zero`. */
void pl_emit_header_comment(pl_emitter *e, int level, const pl_node *body);
/* A statement as it stands, with that comment. */
void pl_emit_with_comment(pl_emitter *e, int level, const pl_node *node);

/* emit_fill_registers.c */

/* The register that stands for a node, named after `base` when it is new. */
pl_str pl_register_name(pl_emitter *e, const pl_node *of, pl_str base);
/* Whether a copy loop's own variable counts its rounds from 0. */
bool pl_counts_slots(const pl_copy_loop *c);
/* The counter of a copy loop. */
pl_str pl_slot_name(pl_emitter *e, const pl_node *loop);
/* Iterations of a copy loop, as a constant expression. */
pl_str pl_count_text(pl_emitter *e, const pl_copy_loop *c);
/* "[a][b]" for the copy loops around a node: their counts, or their slots. */
pl_str pl_brackets(pl_emitter *e, const pl_node *node, bool counts);
/* Whether an if's two branches store two values into one cell. */
bool pl_chooses_value(const pl_emitter *e, const pl_node *node);
bool pl_is_staged_value(const pl_emitter *e, const pl_copy *copy);
/* The name of what an lvalue into a tile indexes. */
pl_str pl_part_name(const pl_emitter *e, const pl_node *node,
                    const pl_decl *tile);
pl_str pl_copy_base(const pl_emitter *e, const pl_copy *copy);
/* The register that holds a copy's value, of the current round. */
pl_str pl_copy_register(pl_emitter *e, const pl_copy *copy);
/* "[16]" behind a register that is an array of bytes, else nothing. */
pl_str pl_bytes_bound(pl_emitter *e, const pl_copy *copy);
/* Whether a node is a statement of the loop body's own level. */
bool pl_is_at_top(const pl_emitter *e, const pl_node *node);

/* emit_fill_needs.c */

/* What a mode is to one copy, or call, that is early or not: never MIXED. */
pl_fill_mode pl_mode_of(pl_fill_mode mode, bool early);
/* Whether a mode loads into registers. */
bool pl_fetches(pl_fill_mode mode);
/* Whether anything below a node is held in registers. */
bool pl_stages_below(const pl_emitter *e, const pl_node *node);
/* Whether a declared local is kept in a register. */
bool pl_is_staged_local(const pl_emitter *e, const pl_node *var);
/* Whether the text of the mode at hand names a declaration. */
bool pl_is_wanted(const pl_emitter *e, const pl_decl *decl);
/* Whether a statement has text in a mode. */
bool pl_has_content(pl_emitter *e, pl_node *node, pl_fill_mode mode);
/* Whether a mode's text has a statement that fills nothing. */
bool pl_is_text_of(const pl_emitter *e, const pl_stmt *stmt, pl_fill_mode mode);
/* Finds the names that a mode's text needs; that its text of a statement does, in a
 * list anew. */
void pl_find_wanted(pl_emitter *e, pl_fill_mode mode);
void pl_find_wanted_below(pl_emitter *e, pl_node *node, pl_fill_mode mode);
/* Whether a branch does no more than to give a local what goes straight from
 * memory to the tile. */
bool pl_only_fills_local(const pl_emitter *e, const pl_node *node);

/* emit_fill_stores.c: one copy in one of the modes */

void pl_render_fetch(pl_emitter *e, const pl_copy *copy, int level);
void pl_render_store(pl_emitter *e, const pl_copy *copy, int level);
void pl_render_async(pl_emitter *e, const pl_copy *copy, int level);

/* The address of a load: `&A[i]`, or what __ldg was given; where a copy goes to. */
pl_str pl_address_text(pl_emitter *e, pl_node *load);
pl_str pl_target_text(pl_emitter *e, const pl_copy *copy);
/* An asynchronous copy in the form's words, without its semicolon; `zeros`: of its
 * bytes those that are not copied, empty: all are. */
pl_str pl_async_copy_text(const pl_emitter *e, pl_str to, pl_str from,
                          pl_str bytes, pl_str zeros);

/* emit_zeros.c */

/* How many bytes of a copy are zeros, where it is made under a guard and else its cell
 * is set to `fill`; empty: that takes a branch. */
pl_str pl_zeros_text(pl_emitter *e, pl_node *load, pl_node *fill, pl_str guard,
                     pl_str bytes);

/* emit_fill_wide.c: copies made for neighbours (widen.c) */

/* The copy that a node is, or is the branch of; NULL: none of those. */
const pl_copy *pl_wide_copy_at(const pl_emitter *e, const pl_node *node,
                               pl_fill_mode mode);
void pl_render_wide(pl_emitter *e, const pl_copy *copy, int level);
/* Whether a statement's copies are made by the block in one call each; those, and what
 * they name. */
bool pl_is_together_at(const pl_emitter *e, const pl_node *node, pl_fill_mode mode);
void pl_render_together(pl_emitter *e, const pl_node *node, int level);
void pl_want_together(pl_emitter *e, const pl_node *node, pl_visit *want);
/* Whether a statement's copies are made by bulk copies where their rows are whole. */
bool pl_is_row_at(const pl_emitter *e, const pl_node *node, pl_fill_mode mode);
/* Those, up to the `else` of what stands for them where the rows are not. */
void pl_open_row(pl_emitter *e, const pl_node *node, int level, pl_fill_mode mode);
/* Visits what its text names; the visitor is given the emitter. */
void pl_want_of_wide(pl_emitter *e, const pl_copy *copy, pl_visit *want);
/* Whether a copy loop may take some iterations at once in a mode. */
bool pl_is_wide_loop(const pl_emitter *e, const pl_copy_loop *c,
                     pl_fill_mode mode);
/* Whether a declaration is of what the header of such a loop, which is being
 * written, declares itself. */
bool pl_is_in_wide_header(const pl_emitter *e, const pl_node *stmt);
/* `if (joined) { the loop that does } else { the user's own }`, in one branch with
 * the loop before where nothing stands between them. */
void pl_render_wide_loop(pl_emitter *e, const pl_copy_loop *c, int level,
                         pl_fill_mode mode);

/* emit_fill_calls.c */

/* By parameter: a mode's text does not need it. */
bool *pl_unused_parameters(pl_emitter *e, const pl_fill_call *call,
                           pl_fill_mode mode);
/* Whether a helper loads nothing and changes nothing but tiles: called as it is, it
 * is its own store. */
bool pl_only_stores(const pl_emitter *e, const pl_fill_call *call);
/* The type of what a call loads, where that is declared ahead of the call. */
pl_str pl_registers_type(pl_emitter *e, const pl_fill_call *call);
/* What the registers of a call are called after. */
pl_str pl_filled_name(const pl_emitter *e, const pl_fill_call *call);
void pl_render_call(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode);

/* emit_fill_loops.c */

/* Whether loops stay as they stand in a mode: none of them fills registers. */
bool pl_keeps_loops(const pl_emitter *e, const pl_node *node,
                    pl_fill_mode mode);
void pl_render_loop(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode);
/* A loop with a header, with braces where its body needs some. */
void pl_render_loop_of(pl_emitter *e, pl_str head, pl_node *body, int level,
                       pl_fill_mode mode);
/* A for or while loop as it stands. */
void pl_render_own_loop(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode);
/* As the left operand of a sum: `tid >> 2` needs parentheses there. */
pl_str pl_summand(pl_emitter *e, const pl_node *node);

/* emit_fill.c */

/* A statement, or what a block holds, in one of the modes. */
void pl_render_body(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode);
/* The one line, a statement, that a branch or body without braces is in a mode; empty: it
 * has braces, or more lines. */
pl_str pl_one_line(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode);

#endif
