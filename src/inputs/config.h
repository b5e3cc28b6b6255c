/* config.h - .pipelinify files.
 *
 * An INI file in the nearest directory above a source (its own included)
 * gives defaults for the options that say how to pipeline:
 *
 *   [pipelinify]
 *   variant = cp.async
 *   gpu-architecture = sm_90
 *   assume-no-alias = yes
 *   extra-arg = -Iinclude -DTILE=32
 *
 * The names are those of the long options; paths in extra-arg are relative to
 * the file. The command line and comments in the source beat it. */
#ifndef PL_CONFIG_H
#define PL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "words.h"

typedef struct pl_setting {
  char *key, *value;
  int line;
} pl_setting;

typedef struct pl_config {
  char *path;      /* NULL: no file */
  char *directory; /* of the file */
  pl_setting *settings;
  size_t count;
  pl_words extra; /* all words of extra-arg */
  bool good;      /* else a message was printed */
} pl_config;

/* What a file says of a key; NULL: nothing. */
const pl_setting *pl_config_setting(const pl_config *config, const char *key);

typedef struct pl_configs pl_configs;

/* `file`: of --config-file; NULL: the nearest. `none`: of --no-config. */
pl_configs *pl_configs_new(const char *file, bool none);
void pl_configs_free(pl_configs *configs);

/* What holds for a source; never NULL. Mistakes are said once a file. */
const pl_config *pl_configs_find(pl_configs *configs, const char *source,
                                 FILE *err);

#endif
