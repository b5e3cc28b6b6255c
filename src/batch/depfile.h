/* depfile.h - what a product was made of, for make and ninja: -MD and -MF. */
#ifndef PL_DEPFILE_H
#define PL_DEPFILE_H

#include "output.h"
#include "words.h"

/* "target: name \\ name", each name once, with what make and ninja take for
 * their own escaped. Free its data with free. */
pl_bytes pl_depfile_text(const char *target, const pl_words *names);

#endif
