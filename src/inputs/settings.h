/* settings.h - what holds for one source: the command line, over the
 * .pipelinify file that is nearest, over how the project compiles it. (Comments
 * in the source come between command line and file: the library sees to
 * those.) */
#ifndef PL_SETTINGS_H
#define PL_SETTINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "words.h"

typedef struct pl_settings pl_settings;

/* The command has to outlive the result. */
pl_settings *pl_settings_new(const pl_command *command);
void pl_settings_free(pl_settings *settings);

/* The command line as it is for one source, valid until the next call. NULL,
 * and a message: its configuration or database is wrong. */
const pl_command *pl_settings_of(pl_settings *settings, const char *source,
                                 FILE *err);

/* Adds the files that say what holds for a source. */
void pl_settings_files(pl_settings *settings, const char *source,
                       pl_words *files, FILE *err);

/* --dump-config and --verify-config: each value and where it is from. False:
 * a file is wrong. */
bool pl_settings_dump(pl_settings *settings, const char *source, FILE *out,
                      FILE *err);

#endif
