/* yaml.c - see yaml.h. */
#include "yaml.h"

#include <stdbool.h>
#include <string.h>

#include "utf8.h"

/* The short escapes of YAML 1.2, 5.7, as LLVM's reader knows them. */
static const char *short_escape(unsigned char c) {
  switch (c) {
  case '"': return "\\\"";
  case '\\': return "\\\\";
  case '\n': return "\\n";
  case '\r': return "\\r";
  case '\t': return "\\t";
  default: return NULL;
  }
}

void pl_yaml_print(FILE *out, const char *text, size_t length) {
  bool utf8 = pl_is_utf8(text, length);
  fputc('"', out);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    const char *escape = short_escape(c);
    if (escape)
      fputs(escape, out);
    else if (c < ' ' || c == 0x7f)
      fprintf(out, "\\x%02X", c);
    else
      fputc(c >= 0x80 && !utf8 ? '?' : c, out);
  }
  fputc('"', out);
}
