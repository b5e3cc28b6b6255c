/* utf8.c - see utf8.h. */
#include "utf8.h"

#include <jansson.h>

bool pl_is_utf8(const char *text, size_t length) {
  json_t *value = json_stringn(text, length);
  bool valid = value;
  json_decref(value);
  return valid;
}
