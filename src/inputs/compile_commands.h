/* compile_commands.h - how a project compiles a source, from the
 * compile_commands.json in -p or the nearest directory above the source, or in
 * `build` in it. None at all is the usual case. */
#ifndef PL_COMPILE_COMMANDS_H
#define PL_COMPILE_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>

#include "words.h"

typedef struct pl_compile_commands pl_compile_commands;

/* `build_dir`: of -p; NULL: look above each source; "": there is none. */
pl_compile_commands *pl_compile_commands_new(const char *build_dir);
void pl_compile_commands_free(pl_compile_commands *commands);

/* The words that compile a source, less the compiler, files of options read
 * in; none where no database knows it. `directory` is where they are run; it
 * lives as long as `commands`. False, and a message once: the database cannot
 * be read. */
bool pl_compile_commands_find(pl_compile_commands *commands, const char *path,
                              pl_words *words, const char **directory,
                              FILE *err);

/* The database that was asked about a source; NULL: none. Free with free. */
char *pl_compile_commands_path(pl_compile_commands *commands,
                               const char *path);

#endif
