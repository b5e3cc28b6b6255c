/* launch_input.h - a source's launch descriptions, from wherever they come. */
#ifndef PL_LAUNCH_INPUT_H
#define PL_LAUNCH_INPUT_H

#include <stdio.h>

#include "launch.h"
#include "output.h"

/* Those of --launch (`option`: a file where there is one of that name, else
 * the text itself), or, where it is NULL, of the comments in `source` and, where
 * these have none, of kernel.launch beside kernel.cu. NULL after a message on
 * `err` where a description is wrong. */
pl_launch_list *pl_read_launches(const char *option, const char *path,
                                 const pl_bytes *source, FILE *err);

#endif
