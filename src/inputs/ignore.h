/* ignore.h - .pipelinify-ignore files, in the grammar of gitignore(5).
 *
 * Each directory above a source may have one; nearer ones beat those above,
 * later lines beat earlier ones, and nothing below an ignored directory comes
 * back. */
#ifndef PL_IGNORE_H
#define PL_IGNORE_H

#include <stdbool.h>

#include "words.h"

typedef struct pl_ignores pl_ignores;

pl_ignores *pl_ignores_new(void);
void pl_ignores_free(pl_ignores *ignores);

/* "dir/.pipelinify-ignore:3" where a line says to leave a path alone; NULL:
 * none does. A path with a slash at its end is a directory. Free with free. */
char *pl_ignored_by(pl_ignores *ignores, const char *path);

/* Adds the files above a path that were asked. */
void pl_ignores_files(pl_ignores *ignores, const char *path, pl_words *files);

/* Of .gitignore files instead, as far up as the directory that holds .git, and
 * nothing where none does. */
pl_ignores *pl_git_ignores_new(void);
/* Does a line say to leave this one alone? The directories above it, which were
 * asked before it, do not count. */
bool pl_git_ignores(pl_ignores *ignores, const char *path, bool directory);

#endif
