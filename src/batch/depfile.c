/* depfile.c - see depfile.h. */
#define _GNU_SOURCE
#include "depfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void escape_before(FILE *out, const char *begin, const char *c) {
  for (const char *back = c; back > begin && back[-1] == '\\'; back--)
    fputc('\\', out);
  fputc('\\', out);
}

/* As GCC writes it, and colons too: backslashes count double where a blank
 * follows. */
void pl_depfile_print_name(FILE *out, const char *name) {
  for (const char *c = name; *c; c++) {
    if (*c == '$')
      fputc('$', out);
    else if (*c == ' ' || *c == '\t')
      escape_before(out, name, c);
    else if (*c == '#' || *c == ':')
      fputc('\\', out);
    fputc(*c, out);
  }
}

static bool was_there(const pl_words *names, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (strcmp(names->items[i], names->items[index]) == 0)
      return true;
  return false;
}

pl_bytes pl_depfile_text(const char *target, const pl_words *names) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  pl_depfile_print_name(out, target);
  fputc(':', out);
  for (size_t i = 0; i < names->count; i++) {
    if (was_there(names, i))
      continue;
    fputs(" \\\n  ", out);
    pl_depfile_print_name(out, names->items[i]);
  }
  fputc('\n', out);
  fclose(out);
  return text;
}
