/* ninja.h - a build file for ninja: an edge a file. --emit-ninja. */
#ifndef PL_NINJA_H
#define PL_NINJA_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "output.h"

typedef struct pl_ninja pl_ninja;

/* `writes_output`: the command line that rewrites one file names it with -o;
 * else --suffix says it. */
pl_ninja *pl_ninja_new(const pl_command *command, bool writes_output);

/* Adds the edge of one file. False: ninja has no way to write the names. */
bool pl_ninja_add(pl_ninja *ninja, const char *source, const char *product);

/* The text, free its data with free; `ninja` is gone. */
pl_bytes pl_ninja_take(pl_ninja *ninja);

#endif
