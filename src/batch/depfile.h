/* depfile.h - what a product was made of, for make and ninja: -MD and -MF. */
#ifndef PL_DEPFILE_H
#define PL_DEPFILE_H

#include <stdio.h>

#include "output.h"
#include "words.h"

/* "target: name \\ name", each name once, with what make and ninja take for
 * their own escaped. Free its data with free. */
pl_bytes pl_depfile_text(const char *target, const pl_words *names);

/* One name, so escaped. */
void pl_depfile_print_name(FILE *out, const char *name);

#endif
