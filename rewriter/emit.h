/* emit.h - what emit.c (the shapes), emit_fill.c (split stores) and their
 * neighbours share. */
#ifndef PL_EMIT_H
#define PL_EMIT_H

#include "loop.h"

#include <stdio.h>

/* A tile with stages; loops that share it share this. */
typedef struct pl_staged_tile {
  pl_decl *decl;
  pl_str stage;   /* "As_stage" */
  int stages;
  bool padded;    /* a stage is wrapped in a struct to keep its alignment */
  int64_t align;  /* to write, 0: the declaration says enough */
  int64_t pad_align;
  pl_str record;  /* padded: the struct's name */
} pl_staged_tile;

/* A second copy of a recurrence, for the side that lags or leads. */
typedef struct pl_cursor {
  const pl_decl *decl;
  pl_str name;
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
  bool brace_own_line;
  bool *keep_barrier;
  pl_str *names;
  size_t nnames, names_cap;
  pl_staged_tile *tiles;
  size_t ntiles, tiles_cap;
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
    bool named;         /* the registers have a type with a name */
    pl_str registers_name;
    pl_str fetch_name, store_name, async_name;
    bool *fetch_drops, *store_drops; /* by parameter: it has no use there */
  } * clones;
  size_t nclones, clones_cap;
  pl_decl **wanted; /* named by the text of the mode that is being printed */
  size_t nwanted, wanted_cap;
  pl_edit *edits;
  size_t nedits, edits_cap;
} pl_emitter;

typedef enum pl_fill_mode {
  PL_FILL_FETCH, /* load into registers */
  PL_FILL_STORE, /* registers into the tile */
  PL_FILL_ASYNC  /* asynchronous copies into the tile */
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
/* User text at a new indentation; `old` blanks are taken off each line. */
void pl_emit_moved(pl_emitter *e, int level, pl_str text, size_t old);
void pl_emit_chunk(pl_emitter *e, int level, pl_range chunk, uint32_t begin);
pl_str pl_emit_indent_of(const pl_unit *unit, uint32_t at);
/* The clones of the load helpers that the loops call, as edits. */
void pl_emit_clones(pl_emitter *e);
pl_str pl_emit_tile_place(pl_emitter *e, const pl_decl *tile);
void pl_emit_add_edit(pl_emitter *e, uint32_t offset, uint32_t length,
                      pl_str text);
/* What a proof for the instantiations in sight rests on. */
void pl_emit_asserts(pl_emitter *e, int level, const pl_fill *fill);
void pl_emit_declare_registers(pl_emitter *e, int level);
pl_str pl_emit_declaration(pl_emitter *e, const pl_node *stmt);


/* Parts of a loop's text that all shapes share. */
void pl_emit_hoisted(pl_emitter *e, int level); /* what moves in front of it */
void pl_emit_init(pl_emitter *e, int level);    /* the header's init statement */
void pl_emit_header(pl_emitter *e, int level);  /* `for (; cond; inc) {` */
void pl_emit_load(pl_emitter *e, int level);    /* the load side as it stands */
/* The user's own barrier behind, or before, the load side. */
void pl_emit_barrier_of(pl_emitter *e, int level, bool behind_load);

/* The loop with one of its sides alone (emit_side.c). */
void pl_emit_one_side(pl_emitter *e);

#endif
