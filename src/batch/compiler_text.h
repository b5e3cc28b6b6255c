/* compiler_text.h - a rewritten text as a compiler reads it from another place
 * than the source: messages, debuggers and __LINE__ lead to the user's file, and
 * quoted includes to the headers beside it. */
#ifndef PL_COMPILER_TEXT_H
#define PL_COMPILER_TEXT_H

#include "answer.h"
#include "output.h"
#include "source.h"

/* The answer's text with #line directives, on lines of their own: text of the
 * source keeps its lines; what is new has the line of its loop, or of the place
 * where it was put. Free its data with free. */
pl_bytes pl_compiler_text(const pl_source *source, const pl_answer *answer);

/* What of a source would mean something else in another place, quoted includes
 * aside: "__BASE_FILE__", "an include of a macro"; NULL: nothing. */
const char *pl_text_bound_to_place(const pl_source *source);

/* The absolute directory of a source, spelt as its path is. Free with free. */
char *pl_source_directory(const char *path);

#endif
