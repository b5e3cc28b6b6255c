/* region.h - what region_printer.c (the order) and region_text.c (the sides' text)
 * share. */
#ifndef PL_REGION_H
#define PL_REGION_H

#include "emit.h"
#include "forms.h"

/* A loop's prologue, main loop and epilogue, as they are printed. */
typedef struct pl_region {
  pl_emitter *e;
  const pl_form *form;
  const pl_schedule *schedule;
  int buffers;
  const pl_step *steps; /* that are printed: one of the schedule's lists */
  pl_str stage;    /* the variable of the buffer that compute works on; one buffer:
                      empty */
  pl_str ahead;    /* of the one that the load side does, where it leads far */
  pl_str more;     /* whether there is another tile: a variable, or a condition */
  pl_str begun;    /* rounds that fetch: how many tiles from theirs on are begun */
  pl_str left;     /* the outcome of the block's vote; empty: it does not vote */
  bool names_next; /* the names of the next tile's buffer are in sight */
  bool begun_stage; /* `stage` is declared */
  bool begins; /* there is a first tile: nothing asks for it */
  bool alone; /* no load stands in the block that compute is in */
  /* Local functions of the two sides, empty: their text stands where it is run. */
  pl_str copy, compute;
} pl_region;

typedef enum pl_part {
  PL_PART_LOAD, /* the load side as it stands */
  PL_PART_STORE,
  PL_PART_COMPUTE
} pl_part;

/* region_text.c */

/* The comments of a stretch of the file. */
void pl_emit_comments(pl_emitter *e, int level, uint32_t from, uint32_t to);
/* A block around a part, where it needs one; gives the level inside. */
int pl_open_part(const pl_region *r, int level, pl_part which);
void pl_close_part(const pl_region *r, int level, pl_part which);
/* The compute side on the tile in a buffer; for the last tile, variables of its own
 * need not go on. */
void pl_emit_compute_part(const pl_region *r, int level, const char *index,
                          bool last);
/* Whether the user leaves a line empty ahead of it, and behind it. */
bool pl_is_apart_ahead(const pl_region *r);
bool pl_is_apart_behind(const pl_region *r);
/* Whether it takes fewer lines to say the compute side twice than once, as a function. */
bool pl_is_shorter_twice(const pl_region *r, int level);
/* The compute side as a local function, on the tile in buffer `stage`. */
void pl_define_compute(const pl_region *r, int level);
/* Runs it, and makes the header's step for the compute side's copies but for the
 * last tile. */
void pl_call_compute(const pl_region *r, int level, bool last);
/* The load side's steps behind its last fill. */
void pl_emit_trailing_steps(pl_emitter *e, int level);

#endif
