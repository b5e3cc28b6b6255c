/* launch_line.h - one line of a launch description into the reader's `now`: a
 * function for each kind of line, found by its first word. */
#ifndef PL_LAUNCH_LINE_H
#define PL_LAUNCH_LINE_H

#include "launch_piece.h"

/* False: see the reader's error. */
bool pl_launch_read_line(pl_launch_reader *r, pl_piece pc);

/* `pc` is what follows `name:`. */
bool pl_launch_read_argument(pl_launch_reader *r, pl_piece pc, pl_str name);

#endif
