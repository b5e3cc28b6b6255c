#include "loop.h"
void pl_emit(pl_unit *unit, pl_loops *loops, pl_edit **edits, size_t *nedits) {
  (void)unit; (void)loops; *edits = NULL; *nedits = 0;
}
