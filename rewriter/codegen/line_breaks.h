/* line_breaks.h - lines that the emitted text has made longer than the source's. */
#ifndef PL_LINE_BREAKS_H
#define PL_LINE_BREAKS_H

#include "arena.h"
#include "pipelinify.h"

/* Breaks the lines of the edits that are longer, in columns, than the source keeps to:
 * 80, 100 or 120, or its longest line where that is longer. A line, with those that its
 * statement goes on in, is broken behind a comma, a semicolon, an operator or a bracket, so
 * that the tokens stay what they are. What stands
 * so in the source, directives, macros' bodies and lines that hold part of a longer
 * token stay as they are. Whether some line was broken. */
bool pl_break_lines(pl_arena *arena, pl_str source, pl_edit *edits, size_t n);

/* A text without its line breaks. With comments, and what begins its line as #if does, it
 * stays as it is. */
pl_str pl_in_one_line(pl_arena *arena, pl_str text);

#endif
