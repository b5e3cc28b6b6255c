/* yaml.h - scalars of YAML that hold any text. */
#ifndef PL_YAML_H
#define PL_YAML_H

#include <stddef.h>
#include <stdio.h>

/* The text in double quotes on one line. Bytes that are not UTF-8 become
 * question marks. */
void pl_yaml_print(FILE *out, const char *text, size_t length);

#endif
