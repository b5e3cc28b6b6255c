/* emit.h - what emit.c (the order), region_printer.c (the forms), emit_fill.c (the
 * fill) and their neighbours share. */
#ifndef PL_EMIT_H
#define PL_EMIT_H

#include "forms.h"
#include "loop.h"
#include "word_set.h"

#include <stdio.h>

/* A tile with stages; loops that share it share this. */
typedef struct pl_staged_tile {
  pl_decl *decl;
  const pl_func *func; /* that knows the stages */
  pl_str stage;   /* "As_stage" */
  int stages;
  bool async;     /* some loop fills it with asynchronous copies */
  bool padded;    /* a stage is wrapped in a struct to keep its alignment */
  int64_t align;  /* to write, 0: the declaration says enough */
  int64_t pad_align;
  pl_str record;  /* padded: the struct's name */
  const pl_dynamic_memory *dynamic; /* it is a block of it; NULL: it is static */
  pl_str given;   /* dynamic: the variable that says how much the launch gave */
  pl_str stages_type; /* dynamic, and it varies: the type that knows the stages */
  const pl_node *counts_from; /* as a loop's */
} pl_staged_tile;

/* Whether it is what a function knows by a name: a block of the file's has stages of
 * its own in each. */
static inline bool pl_is_staged_in(const pl_staged_tile *tile, const pl_decl *decl,
                                   const pl_func *func) {
  return tile->decl == decl && (decl->owner || tile->func == func);
}

/* A second copy of a recurrence, for the side that lags or leads. */
typedef struct pl_cursor {
  const pl_decl *decl;
  pl_str name;
  pl_str next; /* where tiles are looked for: the value for the next tile */
} pl_cursor;

/* Registers of one copy, one of its loads, or one staged local. */
typedef struct pl_register {
  const pl_node *of; /* the store, the load inside it, or the VAR */
  pl_str name;
} pl_register;

typedef struct pl_emitter {
  pl_unit *unit;
  pl_arena *arena;
  pl_loop *loop;
  pl_text out;
  pl_str base, step; /* the loop's indentation; one level of it */
  pl_str pragma;     /* above the loop */
  bool pragmas_at_edge; /* the function's stand in the first column, whatever is below */
  bool brace_own_line;
  pl_str half; /* by which braces on lines of their own are indented */
  bool *open;  /* the braces that are open in that style: after a header? */
  size_t nopen, open_cap;
  int bare;    /* of those, blocks without a header */
  pl_word_set taken; /* all identifiers of the file, once a name is asked for */
  pl_word_set in_macros; /* and all words of macros */
  pl_str *names;  /* that were made */
  size_t nnames, names_cap;
  pl_staged_tile *tiles;
  size_t ntiles, tiles_cap;
  struct pl_stage_count { /* a constant that says a number of stages */
    const pl_node *before; /* the declaration that it stands ahead of */
    const pl_func *func;
    pl_str name;
  } *counts;
  size_t ncounts, counts_cap;
  pl_cursor *cursors;
  size_t ncursors, cursors_cap;
  pl_register *registers;
  size_t nregisters, registers_cap;
  pl_str *slots; /* names of copy loops' counters, by depth */
  size_t nslots, slots_cap;
  const char *register_prefix; /* "next." inside a helper's clones */
  struct pl_clone {
    const pl_func *func;
    pl_loop *body;
    bool staged, async; /* which clones are needed */
    const pl_form *form; /* async: in which words */
    bool named;         /* the registers have a type with a name */
    pl_str registers_name;
    pl_str fetch_name, store_name, async_name;
    bool *fetch_drops, *store_drops; /* by parameter: it has no use there */
    pl_str text;
  } * clones;
  size_t nclones, clones_cap;
  struct pl_joined { /* wide copies: the variable that says whether they can be */
    int64_t neighbours;
    pl_str name;
  } joined[8];
  size_t njoined;
  struct pl_branch { /* the last that asked for wide copies, by places in `out` */
    pl_str name;
    int level;
    size_t others; /* where what is done without them begins, with its `else` */
    size_t close, end; /* the brace behind that; 0: there is none */
  } branch;
  pl_str each; /* the counter of one's elements */
  bool joins;  /* the loop that is being printed makes them */
  enum { PL_NO_ROW, PL_ROW_ASKED, PL_ROW_COPIED, PL_ROW_APART } row; /* what of a row is
                  being printed: whether it is whole, its bulk copies, its fallback */
  pl_str full; /* PL_ROW_ASKED: what says so */
  const pl_form *form; /* of the loop, or of the loop that calls the helper */
  pl_str pipe; /* what the form's asynchronous copies name; empty: nothing */
  pl_str pipe_state; /* what of it is in shared memory */
  pl_str pipe_stage; /* the index of the buffer that they go to */
  pl_decl **wanted; /* named by the text of the mode that is being printed */
  size_t nwanted, wanted_cap;
  pl_edit *edits;
  size_t nedits, edits_cap;
} pl_emitter;

typedef enum pl_fill_mode {
  PL_FILL_FETCH, /* load into registers */
  PL_FILL_STORE, /* registers into the tile */
  PL_FILL_ASYNC, /* asynchronous copies into the tile; mixed form: what cannot
                    be one as it stands */
  PL_FILL_MIXED  /* asynchronous copies, and loads into registers */
} pl_fill_mode;

/* The load side's statements in one of the modes. */
void pl_emit_fill(pl_emitter *e, int level, pl_fill_mode mode);
/* The index of the last statement that fills a tile. */
size_t pl_emit_last_fill(const pl_loop *loop);

/* A name that the file does not use; `fmt` has a %.*s for `base`, or none. */
pl_str pl_emit_name(pl_emitter *e, const char *fmt, pl_str base);

void pl_emit_line(pl_emitter *e, int level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A line that opens a block in the file's brace style. */
void pl_emit_open(pl_emitter *e, int level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* `} else {` in that style. */
void pl_emit_else(pl_emitter *e, int level);
/* `} while (cond);` as the user sets the end of the `do`. */
void pl_emit_close_do(pl_emitter *e, int level, const pl_node *node, pl_str cond);
/* User text at a new indentation; `old` blanks are taken off each line. */
void pl_emit_moved(pl_emitter *e, int level, pl_str text, size_t old);
void pl_emit_chunk(pl_emitter *e, int level, pl_range chunk, uint32_t begin);
/* A part of the user's text for a line at `level`: its other lines keep their
 * distance to the one on which it begins. */
pl_str pl_rebased(pl_emitter *e, int level, pl_str text);
pl_str pl_emit_indent_of(const pl_unit *unit, uint32_t at);
/* The clones of the load helpers that the loops call, as edits. */
void pl_emit_clones(pl_emitter *e);
pl_str pl_emit_tile_place(pl_emitter *e, const pl_decl *tile);
void pl_emit_add_edit(pl_emitter *e, uint32_t offset, uint32_t length,
                      pl_str text);
/* Whether a copy is written as an asynchronous one where the mode is ASYNC. */
bool pl_is_copied_async(const pl_emitter *e, const pl_copy *copy);
/* What a proof for the instantiations in sight rests on. */
void pl_emit_asserts(pl_emitter *e, int level, const pl_fill *fill);
/* Whether wide copies can be made (emit_fill_wide.c). */
void pl_emit_joined(pl_emitter *e, int level);
void pl_emit_declare_registers(pl_emitter *e, int level);

/* Parts of a loop's text that all shapes share. */
/* What the text takes for granted of types that no instantiation in sight says. */
void pl_emit_asked_types(pl_emitter *e, int level);
void pl_emit_hoisted(pl_emitter *e, int level); /* what moves in front of it */
void pl_emit_init(pl_emitter *e, int level);    /* the header's init statement */
void pl_emit_load(pl_emitter *e, int level);    /* the load side as it stands */
/* The user's own barrier behind, or before, the load side. */
void pl_emit_barrier_of(pl_emitter *e, int level, bool behind_load);

/* The loop with one of its sides alone (emit_side.c). */
void pl_emit_one_side(pl_emitter *e);

/* emit_text.c */

size_t pl_blank_prefix(pl_str line);
/* Without empty lines in front and blanks behind. */
pl_str pl_trim_lines(pl_str text);
/* A node's text without what ends a statement; NULL: none. */
pl_str pl_text_of(const pl_emitter *e, const pl_node *node);
/* The one statement that is under a header at this level, without braces. */
void pl_emit_under(pl_emitter *e, int level, const char *fmt, ...);
void pl_emit_blank(pl_emitter *e);
/* A line that so many headers without braces stand above. */
void pl_emit_below(pl_emitter *e, int level, int headers, pl_str line);

/* emit_names.c */

/* Whether a macro that the file may use is called so, or holds the word in its body. */
bool pl_is_macro_word(pl_emitter *e, pl_str name);

/* Binds the names of the tiles that a side names often to the stage `index`; that stage
 * itself in the place of the others', in the side's text printed since `from`. */
void pl_emit_aliases(pl_emitter *e, int level, bool load, const char *index);
void pl_name_stages_since(pl_emitter *e, size_t from, bool load, const char *index);
/* Whether an #if is in the loop: some builds see a part of its words, and are to get the
 * same text. */
bool pl_is_seen_in_part(const pl_emitter *e);
/* Whether a side's text can name another variable in the place of one: it does so in few
 * places, each of which is a word of that text. */
bool pl_is_direct(const pl_emitter *e, const pl_decl *decl, bool load);
/* Puts another text for a name in what was printed since `from`. */
void pl_name_since(pl_emitter *e, size_t from, const pl_decl *decl, pl_str to);
/* Whether the first of the two prints anything. */
bool pl_has_aliases(const pl_emitter *e, bool load);
/* Whether the loop has another variable of a tile's name. */
bool pl_is_shadowed(const pl_emitter *e, const pl_decl *tile);
/* Puts some stage for a tile's name in the text printed since `from`. */
void pl_name_stage_since(pl_emitter *e, size_t from, const pl_decl *tile);
/* Whether a loop's header declares a name by which the loads mean something else:
 * nvcc warns of their text behind it in one block. */
bool pl_header_hides(const pl_loop *loop, const pl_node *node);

/* emit_head.c */

/* Header and tests as one expression, with the cursors' names in it or not. */
pl_str pl_cond_text(pl_emitter *e, bool renamed);
/* The header's step as a statement. */
void pl_emit_step(pl_emitter *e, int level);
/* The comments and the pragma that stand above the main loop; those that end the line of
 * its header, which has been emitted. */
void pl_emit_above(pl_emitter *e, int level);
void pl_emit_beside(pl_emitter *e);
/* Where the loop ends, with the comment that ends the line of its last brace. */
uint32_t pl_loop_end(const pl_emitter *e);
/* That comment, behind the brace that has been emitted. */
void pl_emit_behind(pl_emitter *e);
/* `for (; cond; inc) {`, or `for (inc; cond; inc) {`, or `while (cond) {`; the user's own
 * where that is kept. */
void pl_emit_header(pl_emitter *e, int level, bool steps_first);
/* Whether the header can make the first tile's step, which is short and reads no memory. */
bool pl_header_steps_first(const pl_emitter *e);
/* The loop over all tiles as the user wrote it, with the tests of its body;
 * gives the level of what it does for a tile. */
int pl_open_own_loop(pl_emitter *e, int level);
void pl_close_own_loop(pl_emitter *e, int level);
/* Goes on to the tile that is loaded next; sets `more`, false so far, if there
 * is one. */
void pl_emit_search(pl_emitter *e, int level, pl_str more);

/* emit_cursors.c */

/* Copies of the recurrences that both sides move, for one of the sides. */
void pl_choose_cursors(pl_emitter *e, bool for_compute);
void pl_emit_cursor_copies(pl_emitter *e, int level, bool started);
/* Whether the loop over all tiles declares its variables itself, as it did: the load side
 * has copies of them all, and they can start with the same. */
bool pl_keeps_header(const pl_emitter *e);
/* The header's init statement, and the copies if asked for; of a header that is kept the
 * copies alone. Where it declares ints, they and a variable `zero`, unless that is
 * empty, are declared with it: true. */
bool pl_emit_start(pl_emitter *e, int level, bool copies, pl_str zero);
void pl_emit_cursor_alias(pl_emitter *e, int level, const pl_cursor *cursor,
                          bool load);
/* The copies themselves in the place of those that have no alias. */
void pl_name_cursors_since(pl_emitter *e, size_t from, bool load);
bool pl_has_cursor_aliases(const pl_emitter *e, bool load);
void pl_emit_cursor_aliases(pl_emitter *e, int level);
/* Where tiles are looked for: takes down where the tile stands that is fetched,
 * and goes there. */
void pl_emit_next_cursors(pl_emitter *e, int level);
void pl_emit_move_cursors(pl_emitter *e, int level);
/* The header's step for the compute side's copies. */
void pl_emit_compute_step(pl_emitter *e, int level);
void pl_emit_own_step(pl_emitter *e, int level); /* the same outside their scope */
bool pl_has_cursor(const pl_emitter *e, const pl_decl *decl);
/* Whether a statement moves a variable that has a cursor. */
bool pl_steps_cursor(const pl_emitter *e, size_t stmt);
/* The text of an expression with the cursors' names for the variables. */
pl_str pl_renamed(pl_emitter *e, pl_node *node);

/* emit_barriers.c */

/* Sets the loop's barriers_after. */
void pl_count_barriers(pl_emitter *e);
void pl_emit_barrier(pl_emitter *e, int level);
/* The comments of the user's own behind the loads, where a form has none there. */
void pl_emit_barrier_comments(pl_emitter *e, int level);

/* emit_entry.c */

/* Whether a barrier stands in front of the first load. */
bool pl_needs_entry_barrier(const pl_loop *loop);

/* emit_declarations.c */

/* Gives a tile its stages; loops that share it get the most of theirs. */
void pl_note_tile(pl_emitter *e, const pl_loop *loop, const pl_tile *tile);
const pl_staged_tile *pl_staged_tile_of(const pl_emitter *e, const pl_decl *decl,
                                        const pl_func *func);
void pl_edit_declarations(pl_emitter *e, const pl_loops *loops);
void pl_delete_derived(pl_emitter *e, const pl_loop *loop);
/* emit_dynamic.c: the names that a block of dynamic shared memory needs for its stages,
 * and its declaration with them. */
void pl_name_dynamic(pl_emitter *e, pl_staged_tile *tile);
/* So many bytes by the stages that they are: `3 * 2048 + 1`. */
pl_str pl_bytes_text(pl_arena *arena, const pl_dynamic_memory *memory, int64_t bytes);
pl_str pl_emit_dynamic(pl_emitter *e, const pl_staged_tile *tile,
                       const pl_node *stmt);
/* What stands behind that, from the end of its line on. */
pl_str pl_emit_dynamic_stages(pl_emitter *e, const pl_staged_tile *tile,
                              pl_str indent);
/* The end of a declaration, behind a comment on its last line. */
uint32_t pl_end_with_comment(const pl_unit *unit, const pl_node *stmt);
/* The words of a declaration before its name that belong to the type. */
pl_str pl_element_text(pl_emitter *e, const pl_decl *decl);
/* emit_launches.c: the bytes that the launches of kernels with stages in dynamic shared
 * memory give, and may give. */
void pl_edit_launches(pl_emitter *e, const pl_loops *loops);
/* emit_bounds.c: launch bounds that leave more registers, where the options say so. */
void pl_edit_bounds(pl_emitter *e, const pl_loops *loops);
/* What `__launch_bounds__(256, 2)` says at a place, of 0 the threads, of 1 the blocks;
 * `open` is its parenthesis. Empty: it does not say. */
pl_range pl_launch_bound(const pl_unit *unit, uint32_t open, int which);

/* emit_roles.c: launches, bounds and statements ahead of the loop, where other threads
 * load. */
void pl_edit_roles(pl_emitter *e, const pl_loops *loops);
/* emit_unused.c: takes away the declarations of variables that a loop's loads alone
 * have used, where they have others now. */
void pl_drop_unused(pl_emitter *e, const pl_loop *loop);
/* `sizeof(As)` outside the loops that fill it: some stage has that type. */
void pl_edit_types(pl_emitter *e, const pl_loops *loops);

/* region_printer.c */

/* The lines of a form's words; what its object is called is no value that they lack. */
void pl_emit_words(pl_emitter *e, int level, const char *words, pl_copy_values values);
/* Prologue, main loop and epilogue, in the form that was chosen. */
void pl_print_region(pl_emitter *e, int level);
/* Sets `pipe`: a new name for what the form's asynchronous copies name. */
void pl_choose_pipe(pl_emitter *e);

/* emit_count.c */

/* Names the constants that say how many stages loops have. */
void pl_name_counts(pl_emitter *e, const pl_loops *loops);
/* The number of a loop's stages and `plus`: "stages - 1", or "2". */
pl_str pl_stages_text(const pl_emitter *e, const pl_loop *loop, int plus);
/* The number of a tile's stages. */
pl_str pl_count_of_tile(const pl_emitter *e, const pl_staged_tile *tile);
/* The constant's declaration where it stands ahead of a statement; else empty. */
pl_str pl_count_before(const pl_emitter *e, const pl_node *stmt, int stages);

/* emit_style.c */

/* `_Pragma("unroll")`, or a macro that stands for it, right above a loop whose keyword is
 * at an offset; empty: nothing. */
pl_range pl_pragma_operator(const pl_unit *unit, const pl_node *loop, uint32_t keyword);
bool pl_newline_between(const pl_unit *unit, uint32_t from, uint32_t to);
/* Where a loop's keyword stands, behind pragmas above it; and where its header
 * ends, but for its parenthesis. */
uint32_t pl_header_begin(const pl_loop *loop);
uint32_t pl_header_end(const pl_emitter *e);
/* How far a loop's brace stands to the right of its header, on a line of its
 * own. */
pl_str pl_brace_indent(const pl_emitter *e);
/* Whether the function's first pragma begins its line. */
bool pl_pragmas_at_edge(const pl_emitter *e);
/* Whether the user left an empty line somewhere between two statements. */
bool pl_blank_between(const pl_loop *loop, size_t first, size_t second);
/* Whether a statement follows the one before it on its line. */
bool pl_shares_line(const pl_loop *loop, size_t index);
/* One level of the loop's indentation. */
pl_str pl_indent_step(const pl_emitter *e);
/* That of a function's text, else what the emitter has. */
pl_str pl_indent_step_in(const pl_emitter *e, const pl_func *func);
/* Sets pragma; gives where the loop begins with it. */
uint32_t pl_with_pragma(pl_emitter *e);

/* emit_edits.c */

/* Adds the header of asynchronous copies, unless the file includes it. */
void pl_add_include(pl_emitter *e, const pl_copy_words *words);
bool pl_uses_crlf(const pl_unit *unit);
void pl_give_crlf(pl_emitter *e);

#endif
