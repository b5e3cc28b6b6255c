/* spacing.h - blanks around brackets, as the source has them. */
#ifndef PL_SPACING_H
#define PL_SPACING_H

#include "arena.h"
#include "pipelinify.h"

/* Sets the blanks of the edits' texts in front of brackets and inside of them as all of the
 * source has them: `for(` or `for (`, `f (x)`, `f( x )`, `a[ i ]`. Where the source has them
 * in both ways, or too seldom to say, the text stays. The tokens stay what they are, and what
 * has a line break in it. Whether a text has changed. */
bool pl_keep_spacing(pl_arena *arena, pl_str source, pl_edit *edits, size_t n);

#endif
