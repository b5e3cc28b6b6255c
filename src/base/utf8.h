/* utf8.h - Unicode's encoding in bytes. */
#ifndef PL_UTF8_H
#define PL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool pl_is_utf8(const char *text, size_t length);

#endif
