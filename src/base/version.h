/* version.h - what -V prints. */
#ifndef PL_VERSION_H
#define PL_VERSION_H

#include <stdio.h>

void pl_print_version(FILE *out);

#endif
