/* compare_kernels.c - see compare_kernels.h. */
#include "compare_kernels.h"

#include <ctype.h>
#include <string.h>

#include "text.h"

typedef struct finder {
  pl_arena *arena;
  pl_compare_side *sides;
  FILE *err;
} finder;

static pl_str trimmed(pl_str s) {
  while (s.n && isspace((unsigned char)s.p[0]))
    s = (pl_str){s.p + 1, s.n - 1};
  while (s.n && isspace((unsigned char)s.p[s.n - 1]))
    s.n--;
  return s;
}

/* ---- what -k says --------------------------------------------------------- */

/* Where `A<N == 2>=B` is parted: at the `=` outside of brackets; NULL: nowhere. */
static const char *parting(const char *text) {
  int depth = 0;
  for (const char *c = text; *c; c++) {
    depth += *c == '<' || *c == '(';
    depth -= *c == '>' || *c == ')';
    if (*c == '=' && depth == 0)
      return c;
  }
  return NULL;
}

static void set_side(finder *f, pl_compare_side *side, pl_str text) {
  pl_str whole = trimmed(text), name = pl_before_angle(whole);
  side->name = pl_arena_cstr(f->arena, trimmed(name));
  side->arguments = name.n < whole.n
                        ? pl_arena_cstr(f->arena, (pl_str){whole.p + name.n,
                                                           whole.n - name.n})
                        : NULL;
}

static void read_asked(finder *f, const char *asked) {
  const char *part = parting(asked);
  pl_str first = {asked, part ? (size_t)(part - asked) : strlen(asked)};
  pl_str second = part ? (pl_str){part + 1, strlen(part + 1)} : first;
  set_side(f, &f->sides[0], first);
  set_side(f, &f->sides[1], second);
}

/* ---- what the files have -------------------------------------------------- */

static const pl_kernel_report *next_kernel(const pl_compare_side *side,
                                           size_t *index) {
  size_t n;
  const pl_kernel_report *all = pl_result_kernels(side->result, &n);
  while (*index < n && !all[*index].is_global)
    ++*index;
  return *index < n ? &all[(*index)++] : NULL;
}

static size_t count_kernels(const pl_compare_side *side) {
  size_t n = 0, index = 0;
  while (next_kernel(side, &index))
    n++;
  return n;
}

/* "'a', 'b'", or "none" */
static pl_str kernels_text(finder *f, const pl_compare_side *side) {
  pl_text text = {.arena = f->arena};
  size_t index = 0;
  for (const pl_kernel_report *k; (k = next_kernel(side, &index));)
    pl_text_printf(&text, "%s'%s'", text.n ? ", " : "", k->name);
  if (!text.n)
    pl_text_printf(&text, "none");
  return pl_text_view(&text);
}

static bool fail(finder *f, const pl_compare_side *side, pl_str why) {
  fprintf(f->err, "pipelinify: error: %s: %.*s\n", side->path, PL_FMT(why));
  return false;
}

static bool is_named(const pl_kernel_report *k, const char *name) {
  return strcmp(k->name, name) == 0 || strcmp(pl_unqualified(k->name), name) == 0;
}

static bool includes_headers(const pl_compare_side *side) {
  size_t n;
  pl_result_headers(side->result, &n);
  return n > 0;
}

/* The kernel that -k names. One that is not in the file may be in a header; of overloads
 * and specialisations, which have one name, the compiler takes the one that is meant. */
static bool find_named(finder *f, pl_compare_side *side) {
  const pl_kernel_report *found = NULL;
  size_t index = 0, n = 0;
  for (const pl_kernel_report *k; (k = next_kernel(side, &index));) {
    if (!is_named(k, side->name))
      continue;
    if (found && strcmp(found->name, k->name) != 0)
      return fail(f, side,
                  pl_arena_printf(f->arena, "'%s' and '%s': say which", found->name,
                                  k->name));
    found = k;
    n++;
  }
  side->kernel = n == 1 ? found : NULL;
  if (!found && !includes_headers(side)) {
    pl_str has = kernels_text(f, side);
    return fail(f, side,
                pl_arena_printf(f->arena, "no kernel '%s'; it has: %.*s",
                                side->name, PL_FMT(has)));
  }
  if (found)
    side->name = found->name;
  return true;
}

static bool find_only(finder *f, pl_compare_side *side) {
  size_t index = 0, n = count_kernels(side);
  side->kernel = next_kernel(side, &index);
  if (n == 1) {
    side->name = side->kernel->name;
    return true;
  }
  pl_str has = kernels_text(f, side);
  return fail(f, side, n ? pl_arena_printf(f->arena, "it has %zu kernels, say "
                                           "which with -k NAME or -k A=B: %.*s",
                                           n, PL_FMT(has))
                         : PL_STR("it has no kernel"));
}

/* ---- signatures ----------------------------------------------------------- */

static bool is_qualifier(pl_str word) {
  static const char *const words[] = {"const", "volatile", "__restrict",
                                      "__restrict__", "restrict"};
  return PL_STR_IS_ONE(word, words);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The type as an argument sees it: without qualifiers, and blanks only between
 * words. */
static pl_str plain_type(finder *f, const char *type) {
  pl_text text = {.arena = f->arena};
  for (const char *c = type; *c;) {
    size_t n = 1;
    while (is_word(*c) && is_word(c[n]))
      n++;
    pl_str word = {c, n};
    c += n;
    if (isspace((unsigned char)*word.p) || is_qualifier(word))
      continue;
    if (text.n && is_word(text.p[text.n - 1]) && is_word(*word.p))
      pl_text_printf(&text, " ");
    pl_text_add(&text, word);
  }
  return pl_text_view(&text);
}

/* A template's own types are not known here. */
static bool is_dependent(const pl_kernel_report *k) {
  for (size_t i = 0; i < k->nparameters; i++)
    if (strstr(k->parameters[i].type, "type-parameter-") ||
        strstr(k->parameters[i].type, "dependent"))
      return true;
  return false;
}

/* "parameter 3 is 'unsigned int', there 'int'"; empty: they are the same. */
static pl_str difference(finder *f, const pl_kernel_report *a,
                         const pl_kernel_report *b) {
  if (a->nparameters != b->nparameters)
    return pl_arena_printf(f->arena, "%zu parameters, there %zu",
                           b->nparameters, a->nparameters);
  for (size_t i = 0; i < a->nparameters; i++) {
    pl_str one = plain_type(f, a->parameters[i].type);
    pl_str two = plain_type(f, b->parameters[i].type);
    if (!pl_str_eq(one, two))
      return pl_arena_printf(f->arena, "parameter %zu ('%s') is '%.*s', there "
                             "'%.*s'", i + 1, b->parameters[i].name,
                             PL_FMT(two), PL_FMT(one));
  }
  return (pl_str){0};
}

static bool same_parameters(finder *f) {
  const pl_compare_side *a = &f->sides[0], *b = &f->sides[1];
  if (!a->kernel || !b->kernel || is_dependent(a->kernel) ||
      is_dependent(b->kernel))
    return true;
  pl_str why = difference(f, a->kernel, b->kernel);
  if (!why.n)
    return true;
  fprintf(f->err,
          "%s:%u: error: '%s' has other parameters than '%s' of %s:%u: %.*s\n",
          b->path, b->kernel->line, b->name, a->name, a->path, a->kernel->line,
          PL_FMT(why));
  return false;
}

static bool same_kernel(const pl_compare_side *a, const pl_compare_side *b) {
  const char *one = a->arguments ? a->arguments : "";
  const char *two = b->arguments ? b->arguments : "";
  return strcmp(a->path, b->path) == 0 && strcmp(a->name, b->name) == 0 &&
         strcmp(one, two) == 0;
}

bool pl_compare_find(pl_arena *arena, const pl_command *command,
                     pl_compare_side sides[2], FILE *err) {
  finder f = {arena, sides, err};
  if (command->nkernels)
    read_asked(&f, command->kernels[0]);
  for (size_t i = 0; i < 2; i++) {
    bool found = command->nkernels ? find_named(&f, &sides[i])
                                   : find_only(&f, &sides[i]);
    if (!found)
      return false;
    sides[i].bare = pl_unqualified(sides[i].name);
  }
  if (command->ninputs == 1 && same_kernel(&sides[0], &sides[1]))
    return fail(&f, &sides[0],
                PL_STR("two kernels of one file are named with -k A=B"));
  return same_parameters(&f);
}
