/* nvcc_depfile.c - see nvcc_depfile.h.
 *
 * Needs a depfile in make's grammar, as compilers write it: `target: name \`, then
 * names, then perhaps `name:` for each (-MP). Gives the same text with other names.
 * Raises nothing. */
#include "nvcc_depfile.h"

#include <stdlib.h>
#include <string.h>

#include "depfile.h"
#include "memory.h"
#include "text.h"

typedef struct rewriting {
  const pl_depfile_change *change;
  FILE *out;
  bool phony;  /* names have rules of their own: -MP */
  bool added;
} rewriting;

static bool ends_name(const char *c) {
  return !*c || strchr(" \t\r\n", *c) ||
         (*c == '\\' && (c[1] == '\n' || c[1] == '\r'));
}

/* The length of the name at `c`, as it stands there. */
static size_t name_length(const char *c) {
  size_t n = 0;
  while (!ends_name(c + n)) {
    bool pair = (c[n] == '\\' && c[n + 1]) || (c[n] == '$' && c[n + 1] == '$');
    n += pair ? 2 : 1;
  }
  return n;
}

static char *decoded(const char *c, size_t n) {
  char *name = pl_alloc(n + 1, 1), *to = name;
  for (size_t i = 0; i < n; i++) {
    bool escaped = i + 1 < n && ((c[i] == '$' && c[i + 1] == '$') ||
                                 (c[i] == '\\' && strchr(" \t#:\\", c[i + 1])));
    i += escaped;
    *to++ = c[i];
  }
  return name;
}

/* NULL: it keeps its name. */
static char *renamed(const rewriting *r, const char *name) {
  for (size_t i = 0; i < r->change->nrenamed; i++) {
    const pl_renamed *rule = &r->change->renamed[i];
    bool below = pl_ends_with(rule->from, "/");
    if (below ? pl_starts_with(name, rule->from)
              : strcmp(name, rule->from) == 0)
      return pl_format("%s%s", rule->to,
                       below ? name + strlen(rule->from) : "");
  }
  return NULL;
}

static void print_name(rewriting *r, const char *at, size_t n) {
  size_t colon = n > 1 && at[n - 1] == ':' ? 1 : 0; /* of a rule */
  char *name = decoded(at, n - colon), *other = renamed(r, name);
  if (other) {
    pl_depfile_print_name(r->out, other);
    fprintf(r->out, "%s", colon ? ":" : "");
  } else {
    fwrite(at, 1, n, r->out);
  }
  free(other);
  free(name);
}

/* Behind the names of the first rule. */
static void print_added(rewriting *r) {
  const pl_words *added = &r->change->added;
  for (size_t i = 0; i < added->count && !r->added; i++) {
    fputs(" \\\n    ", r->out);
    pl_depfile_print_name(r->out, added->items[i]);
  }
  r->added = true;
}

static void print_rules(rewriting *r) {
  const pl_words *added = &r->change->added;
  for (size_t i = 0; i < added->count && r->phony; i++) {
    pl_depfile_print_name(r->out, added->items[i]);
    fputs(":\n", r->out);
  }
}

char *pl_nvcc_depfile_text(const char *text, const pl_depfile_change *change) {
  char *changed;
  size_t size;
  rewriting r = {.change = change, .out = pl_open_text(&changed, &size)};
  for (const char *c = text; *c;) {
    size_t n = name_length(c);
    if (n) {
      r.phony |= r.added;
      print_name(&r, c, n);
      c += n;
      continue;
    }
    if (*c == '\n' && c > text)
      print_added(&r);
    if (*c == '\\') /* the line goes on */
      fputc(*c++, r.out);
    fputc(*c, r.out);
    c += *c != 0;
  }
  print_added(&r);
  print_rules(&r);
  fclose(r.out);
  return changed;
}
