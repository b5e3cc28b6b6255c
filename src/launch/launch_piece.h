/* launch_piece.h - the words of a launch description's line, for launch.c,
 * launch_line.c and launch_arg.c.
 *
 * A piece is a stretch of one line. What takes from it moves its front; what
 * does not fit is an error at its place, the first of which is kept. */
#ifndef PL_LAUNCH_PIECE_H
#define PL_LAUNCH_PIECE_H

#include "launch.h"

/* A stretch of one line and where it stands. */
typedef struct pl_piece {
  const char *p, *end;
  int line;
  const char *line_start;
} pl_piece;

typedef struct pl_launch_reader {
  pl_arena *arena;
  pl_launch_list *list;
  size_t cap;
  pl_launch *now; /* the description being read, or NULL */
  pl_launch_error *error;
  bool failed;
} pl_launch_reader;

/* Reports at `at`; always false, so that callers can return it. */
bool pl_piece_fail(pl_launch_reader *r, const pl_piece *pc, const char *at,
                   const char *why);
/* The same, with `name` for the format's %s. */
bool pl_piece_fail_name(pl_launch_reader *r, const pl_piece *pc,
                        const char *at, const char *format, const char *name);

bool pl_piece_is_space(char c);
bool pl_piece_is_name(char c);

/* Takes the space off both ends. */
void pl_piece_trim(pl_piece *pc);
/* The identifier that `pc` goes on with; empty when there is none. */
pl_str pl_piece_name(pl_piece *pc);
bool pl_piece_take(pl_piece *pc, char c);
/* The text up to a comma outside brackets; the comma is taken. */
pl_piece pl_piece_item(pl_piece *pc);
/* The bracketed text behind `pc`'s position, brackets taken off. */
bool pl_piece_bracketed(pl_launch_reader *r, pl_piece *pc, char open,
                        pl_piece *inside);

/* All of the piece. NULL, false: see the error. */
const pl_expr *pl_piece_expr(pl_launch_reader *r, pl_piece pc);
bool pl_piece_real(pl_launch_reader *r, pl_piece pc, double *value);
/* What it goes on with. */
bool pl_piece_int(pl_launch_reader *r, pl_piece *pc, int64_t *value);

#endif
