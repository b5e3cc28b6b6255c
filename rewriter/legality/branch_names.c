/* branch_names.c - has a condition a say in what a loop does?
 *
 * Needs: the texts of the file and of its own headers. Gives: whether text under #if
 * declares something that the loop uses, by its name: the loop's function says it, or
 * what is declared by a name that it says does, and so on. A name that means something
 * else there makes a choice that is none. Raises nothing. */
#include "branch_choices.h"
#include "builds.h"

#include "call_summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 64

/* A name, and the tokens that declare it, the first and one behind the last. */
typedef struct declared {
  pl_str name;
  const pl_unit *in;
  uint32_t first, last;
  bool is_default;
  bool is_used; /* by the loop that is looked at */
} declared;

typedef struct pl_declared_names {
  declared *items; /* by their names */
  size_t n, cap;
} pl_declared_names;

/* ---- what a text declares ------------------------------------------------- */

/* Where a scope, or a branch of an #if, was opened. */
typedef struct opened {
  uint32_t first; /* of the declaration there */
  int depth;      /* of braces in its body */
  size_t nscopes;
  bool is_class;  /* what is declared there is a part of it */
} opened;

typedef struct scan {
  const pl_unit *unit;
  pl_declared_names *names;
  uint32_t first; /* of the declaration that goes on */
  int depth;      /* of braces that are no scope */
  opened scopes[MOST_DEPTH], branches[MOST_DEPTH];
  size_t nscopes, nbranches;
} scan;

static void add(scan *s, pl_str name, uint32_t first, uint32_t last, bool is_default) {
  declared one = {.name = name, .in = s->unit, .first = first, .last = last,
                  .is_default = is_default};
  PL_PUSH(s->unit->arena, s->names->items, s->names->n, s->names->cap, one);
}

/* The token at or ahead of one that is neither comment nor directive; `first`: none. */
static uint32_t code_before(const pl_unit *unit, uint32_t first, uint32_t at) {
  while (at > first && (unit->tokens[at].kind == PL_TOK_COMMENT ||
                        unit->tokens[at].kind == PL_TOK_DIRECTIVE))
    at--;
  return at;
}

/* Whether token `at` is a name by which a declaration, that begins at `first`, may be
 * known: what it declares, or a macro that does. */
static bool may_be_declared(const pl_unit *unit, uint32_t first, uint32_t at) {
  static const char *const behind[] = {"=", ";", "{", "}", ":", "[", "(", ",", "<"};
  static const char *const before[] = {"<", "=", "::", ".", ":"};
  static const char *const kinds[] = {"struct", "class", "union", "enum"};
  pl_str word = pl_token_text(unit, at);
  if (unit->tokens[at].kind != PL_TOK_IDENT || pl_is_keyword(word) ||
      pl_str_starts(word, "__"))
    return false;
  pl_str last = at > first ? pl_token_text(unit, code_before(unit, first, at - 1)) : PL_STR("");
  pl_str next = pl_token_text(unit, pl_token_code(unit, at + 1));
  return PL_STR_IS_ONE(last, kinds) ||
         (PL_STR_IS_ONE(next, behind) && !PL_STR_IS_ONE(last, before));
}

/* Whether token `at` may be the type of an operand that is declared. */
static bool may_be_type(const pl_unit *unit, uint32_t at) {
  static const char *const behind[] = {"&", "&&", "*", "<", "const"};
  pl_str word = pl_token_text(unit, at);
  uint32_t next = pl_token_code(unit, at + 1);
  return unit->tokens[at].kind == PL_TOK_IDENT && !pl_is_keyword(word) &&
         !pl_str_starts(word, "__") && next < unit->ntokens &&
         (unit->tokens[next].kind == PL_TOK_IDENT ||
          PL_STR_IS_ONE(pl_token_text(unit, next), behind));
}

/* Behind the parameters of a template that begin at a token, or at it. */
static uint32_t past_parameters(const pl_unit *unit, uint32_t at, uint32_t last) {
  int depth = 0;
  if (!pl_token_is(unit, at, "template"))
    return at;
  for (uint32_t i = at + 1; i < last; i++) {
    depth += pl_token_is(unit, i, "<") - pl_token_is(unit, i, ">") -
             2 * pl_token_is(unit, i, ">>");
    if (depth <= 0)
      return i + 1;
  }
  return last;
}

/* Adds the names of the declaration that ends in front of token `last`. One with
 * `operator` is known by what its head says, the types of its operands. */
static void close_declaration(scan *s, uint32_t last) {
  const pl_unit *unit = s->unit;
  uint32_t first = pl_token_code(unit, s->first), begin = past_parameters(unit, first, last);
  int depth = 0;
  bool is_operator = false;
  if (s->nscopes && s->scopes[s->nscopes - 1].is_class)
    return;
  for (uint32_t i = begin; i < last && !pl_token_is(unit, i, "{"); i++)
    is_operator |= pl_token_is(unit, i, "operator");
  for (uint32_t i = begin; i < last; i++) {
    pl_str word = pl_token_text(unit, i);
    bool opens = pl_str_is(word, "{") || pl_str_is(word, "(");
    depth -= pl_str_is(word, "}") || pl_str_is(word, ")");
    if (is_operator && pl_str_is(word, "{"))
      return;
    if (is_operator ? may_be_type(unit, i)
                    : depth == 0 && may_be_declared(unit, first, i))
      add(s, word, first, last, false);
    depth += opens;
  }
}

/* Whether the brace at a token opens a namespace, a class or an enumeration. */
static bool opens_scope(const scan *s, uint32_t at) {
  static const char *const kinds[] = {"namespace", "struct", "class", "union", "enum"};
  bool is_kind = false, is_extern = false;
  uint32_t before = at > s->first ? code_before(s->unit, s->first, at - 1) : at;
  for (uint32_t i = s->first; i < at; i++) {
    is_kind |= PL_STR_IS_ONE(pl_token_text(s->unit, i), kinds);
    is_extern |= pl_token_is(s->unit, i, "extern") && before > i &&
                 pl_str_starts(pl_token_text(s->unit, before), "\"");
  }
  return is_extern || (is_kind && !pl_token_is(s->unit, before, ")"));
}

/* Whether it is a class, or stands in one. */
static bool is_class(const scan *s, uint32_t at) {
  static const char *const kinds[] = {"struct", "class", "union"};
  bool is = s->nscopes && s->scopes[s->nscopes - 1].is_class;
  for (uint32_t i = past_parameters(s->unit, pl_token_code(s->unit, s->first), at); i < at; i++)
    is |= PL_STR_IS_ONE(pl_token_text(s->unit, i), kinds) && !pl_token_is(s->unit, i - 1, "enum");
  return is;
}

/* Branches of an #if begin where it does. */
static void pass_directive(scan *s, uint32_t at) {
  pl_str word = pl_directive_at(s->unit, at);
  pl_macro_line line = pl_macro_of(word);
  opened *b = s->nbranches ? &s->branches[s->nbranches - 1] : NULL;
  if (line.name.n) {
    bool is_default = false;
    for (size_t i = 0; i < s->unit->ndefaults; i++)
      is_default |= s->unit->defaults[i].begin == s->unit->tokens[at].range.begin;
    add(s, line.name, at, at + 1, is_default);
  }
  switch (pl_directive_kind_of(word)) {
  case PL_DIRECTIVE_IF:
    if (s->nbranches < MOST_DEPTH)
      s->branches[s->nbranches++] = (opened){.first = s->first, .depth = s->depth, .nscopes = s->nscopes};
    break;
  case PL_DIRECTIVE_ELIF:
  case PL_DIRECTIVE_ELSE:
    if (b && b->nscopes <= s->nscopes) {
      s->first = b->first;
      s->depth = b->depth;
      s->nscopes = b->nscopes;
    }
    break;
  case PL_DIRECTIVE_ENDIF: s->nbranches -= s->nbranches > 0; break;
  case PL_DIRECTIVE_OTHER: break;
  }
}

/* A scope is a declaration itself, which ends behind the brace that closes it. */
static void pass_brace(scan *s, uint32_t at, bool opens) {
  if (opens && s->depth == 0 && s->nscopes < MOST_DEPTH && opens_scope(s, at)) {
    s->scopes[s->nscopes] = (opened){.first = s->first, .is_class = is_class(s, at)};
    s->nscopes++;
    s->first = at + 1;
  } else if (opens || s->depth) {
    s->depth += opens ? 1 : -1;
    if (s->depth == 0) {
      close_declaration(s, at + 1);
      s->first = at + 1;
    }
  } else if (s->nscopes) {
    if (!s->scopes[s->nscopes - 1].is_class)
      close_declaration(s, at + 1);
    s->first = s->scopes[--s->nscopes].first;
  }
}

static bool is_of_namespace(const pl_unit *unit, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last && !pl_token_is(unit, i, "{"); i++)
    if (pl_token_is(unit, i, "namespace") || pl_token_is(unit, i, "extern"))
      return true;
  return false;
}

static void scan_unit(const pl_unit *unit, pl_declared_names *names) {
  scan s = {.unit = unit, .names = names};
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    bool opens = pl_token_is(unit, i, "{"), closes = pl_token_is(unit, i, "}");
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE)
      pass_directive(&s, i);
    else if (opens || closes)
      pass_brace(&s, i, opens);
    bool ends = pl_token_is(unit, i, ";") && s.depth == 0;
    bool apart = closes && s.depth == 0 && is_of_namespace(unit, s.first, i);
    if (ends)
      close_declaration(&s, i + 1);
    if (ends || apart)
      s.first = i + 1;
  }
}

static int by_name(const void *a, const void *b) {
  const declared *x = a, *y = b;
  size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
  int order = n ? memcmp(x->name.p, y->name.p, n) : 0;
  return order ? order : (x->name.n > y->name.n) - (x->name.n < y->name.n);
}

static size_t first_of(const pl_declared_names *names, pl_str name);

/* Whether something other than a macro is declared by a name. */
static bool is_declared(const pl_declared_names *names, pl_str name) {
  for (size_t i = first_of(names, name); i < names->n && pl_str_eq(names->items[i].name, name);
       i++)
    if (names->items[i].last > names->items[i].first + 1)
      return true;
  return false;
}

/* `#define STEP step_wide` ahead of `void STEP(float *)` declares what it says. */
static void add_aliases(const pl_unit *unit, pl_declared_names *names) {
  const pl_declared_names sorted = *names;
  for (size_t i = 0; i < sorted.n; i++) {
    declared one = sorted.items[i];
    pl_macro_line line = one.last == one.first + 1
                             ? pl_macro_of(pl_directive_at(one.in, one.first))
                             : (pl_macro_line){0};
    one.name = pl_str_trimmed(line.body);
    if (one.name.n && pl_first_word(one.name).n == one.name.n && !pl_is_keyword(one.name) &&
        is_declared(&sorted, line.name))
      PL_PUSH(unit->arena, names->items, names->n, names->cap, one);
  }
  qsort(names->items, names->n, sizeof *names->items, by_name);
}

static pl_declared_names *names_of(const pl_unit *unit) {
  pl_declared_names *names = unit->declared;
  if (names)
    return names;
  names = PL_NEW(unit->arena, pl_declared_names);
  scan_unit(unit, names);
  for (size_t i = 0; i < unit->nown_headers; i++)
    scan_unit(pl_header_unit(unit, i), names);
  qsort(names->items, names->n, sizeof *names->items, by_name);
  add_aliases(unit, names);
  ((pl_unit *)unit)->declared = names;
  return names;
}

/* The first declaration of a name; names->n: there is none. */
static size_t first_of(const pl_declared_names *names, pl_str name) {
  declared key = {.name = name};
  size_t low = 0, high = names->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (by_name(&names->items[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < names->n && pl_str_eq(names->items[low].name, name) ? low : names->n;
}

/* ---- what a loop uses ----------------------------------------------------- */

/* The names that a loop uses. */
typedef struct pl_used_names {
  pl_declared_names *names;
  pl_arena *arena;
  declared **found; /* in the order in which they are */
  size_t n, cap;
} using;

static void use_name(using *u, pl_str name) {
  for (size_t i = first_of(u->names, name);
       i < u->names->n && pl_str_eq(u->names->items[i].name, name); i++) {
    declared *one = &u->names->items[i];
    if (!one->is_used)
      PL_PUSH(u->arena, u->found, u->n, u->cap, one);
    one->is_used = true;
  }
}

/* All the words of a text, those of its strings and comments too. */
static void use_words(using *u, pl_str text) {
  while (text.n) {
    pl_str word = pl_first_word(text);
    size_t n = word.n ? word.n : 1;
    if (word.n && !isdigit((unsigned char)word.p[0]))
      use_name(u, word);
    text = (pl_str){text.p + n, text.n - n};
  }
}

static void use_range(using *u, const pl_unit *unit, pl_range range) {
  use_words(u, pl_unit_slice(unit, range));
}

static const declared *declared_at(const using *u, const pl_unit *unit, uint32_t at) {
  const declared *found = NULL;
  for (size_t i = 0; i < u->names->n; i++) {
    const declared *one = &u->names->items[i];
    if (one->in == unit && one->first <= at && one->last > at && one->last > one->first + 1 &&
        (!found || one->last - one->first < found->last - found->first))
      found = one;
  }
  return found;
}

/* What a template's arguments name, wherever the file hands it some, and what those of
 * the templates do that hand it their own. Where they are deduced it is all that is said
 * there. */
static void use_arguments(using *u, const pl_unit *unit, pl_str name, int depth) {
  for (uint32_t i = pl_token_of(unit, name); i < unit->ntokens; i = unit->words->next[i]) {
    const declared *by = declared_at(u, unit, i);
    uint32_t end = i + 1;
    if (!by || pl_str_eq(by->name, name))
      continue;
    while (pl_token_is(unit, i + 1, "<") && end < by->last && !pl_token_is(unit, end, "(") &&
           !pl_token_is(unit, end, "<<<"))
      end++;
    pl_range all = {unit->tokens[by->first].range.begin, unit->tokens[by->last - 1].range.end};
    pl_range args = {unit->tokens[i].range.end, unit->tokens[end - 1].range.end};
    use_range(u, unit, end > i + 1 ? args : all);
    if (depth < 4 && pl_token_is(unit, by->first, "template"))
      use_arguments(u, unit, by->name, depth + 1);
  }
}

static pl_str text_of(const declared *one) {
  return pl_unit_slice(one->in, (pl_range){one->in->tokens[one->first].range.begin,
                                           one->in->tokens[one->last - 1].range.end});
}

static bool ends_with(pl_str name, pl_str word) {
  return name.n >= word.n && memcmp(name.p + name.n - word.n, word.p, word.n) == 0;
}

/* Uses the names that begin or end with a word of a text, which `##` may make of it. */
static void use_pasted(using *u, pl_str text) {
  while (text.n) {
    pl_str word = pl_first_word(text);
    size_t n = word.n ? word.n : 1;
    for (size_t i = 0; word.n > 1 && i < u->names->n; i++) {
      pl_str name = u->names->items[i].name;
      if (name.n > word.n && (ends_with(name, word) || memcmp(name.p, word.p, word.n) == 0))
        use_name(u, name);
    }
    text = (pl_str){text.p + n, text.n - n};
  }
}

/* Uses what the names say that have been found from one on, and what these say in turn. */
static void use_found(using *u, const pl_loop *loop, size_t from, bool *pastes) {
  for (size_t i = from; i < u->n; i++) {
    pl_str text = text_of(u->found[i]);
    bool is_first = !*pastes && u->found[i]->last == u->found[i]->first + 1 &&
                    pl_str_has(text, "##");
    use_words(u, text);
    *pastes |= is_first;
    if (is_first)
      use_pasted(u, pl_unit_slice(loop->unit, loop->func->range));
    if (*pastes && pl_str_starts(text, "#"))
      use_pasted(u, text);
  }
}

/* The macro behind the `#include` at a token; empty: there is none. */
static pl_str macro_included(const pl_unit *text, uint32_t at) {
  pl_str word = pl_directive_at(text, at);
  return pl_str_starts(word, "include")
             ? pl_first_word(pl_str_trimmed((pl_str){word.p + 7, word.n - 7}))
             : PL_STR("");
}

/* Where something of a header is used, so are the macros that name headers. */
static void use_included(using *u, const pl_unit *unit) {
  bool any = false;
  for (size_t i = 0; i < u->n && !any; i++)
    any = u->found[i]->in != unit;
  for (size_t h = 0; h <= unit->nown_headers && any; h++) {
    const pl_unit *text = h ? pl_header_unit(unit, h - 1) : unit;
    for (size_t i = 0; i < text->ndirectives; i++)
      use_words(u, macro_included(text, text->directives[i]));
  }
}

static using *names_used(const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  using *u = PL_NEW(loop->arena, using);
  *u = (using){.names = names_of(unit), .arena = loop->arena};
  pl_func_list all = pl_functions_of(unit, loop->func);
  for (size_t i = 0; i < u->names->n; i++)
    u->names->items[i].is_used = false;
  use_range(u, unit, loop->func->range);
  if (loop->func->is_template || loop->func->pattern)
    use_arguments(u, unit, loop->func->name, 0);
  for (size_t i = 0; i < all.n; i++)
    if (all.items[i]->in_main)
      use_range(u, unit, all.items[i]->range);
  bool pastes = false;
  use_found(u, loop, 0, &pastes);
  size_t n = u->n;
  use_included(u, unit);
  use_found(u, loop, n, &pastes);
  return u;
}

static const using *uses_of(const pl_loop *loop) {
  if (!loop->uses)
    ((pl_loop *)loop)->uses = names_used(loop);
  return loop->uses;
}

/* ---- the conditions ------------------------------------------------------- */

static bool lies_in(const declared *one, const pl_unit *unit, uint32_t at, uint32_t end) {
  return one->in == unit && one->first >= at && one->last <= end;
}

/* Whether a name has another declaration outside of a group. */
static bool is_elsewhere(const pl_declared_names *names, const declared *one, uint32_t at,
                         uint32_t end) {
  for (size_t i = first_of(names, one->name);
       i < names->n && pl_str_eq(names->items[i].name, one->name); i++)
    if (!lies_in(&names->items[i], one->in, at, end))
      return true;
  return false;
}

/* The name between the quotes of an #include; empty: there is none. */
static pl_str quoted(pl_str word) {
  const char *end = word.p + word.n;
  const char *open = pl_str_starts(word, "include") ? memchr(word.p, '"', word.n) : NULL;
  const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  return close ? (pl_str){open + 1, (size_t)(close - open - 1)} : PL_STR("");
}

/* Whether headers that a text includes, between two tokens, declare what is used; by way
 * of others, too. `seen`: those that were looked at. */
static bool includes_used(const pl_unit *unit, const using *u, const pl_unit *text,
                          uint32_t at, uint32_t end, bool *seen) {
  for (uint32_t i = pl_directive_from(text, at); i < end; i = pl_directive_from(text, i + 1)) {
    pl_str name = quoted(pl_directive_at(text, i));
    size_t begin = name.n;
    while (begin && name.p[begin - 1] != '/')
      begin--;
    pl_str base = {name.p + begin, name.n - begin};
    for (size_t h = 0; base.n && h < unit->nown_headers; h++) {
      const pl_unit *header = pl_header_unit(unit, h);
      if (seen[h] || !ends_with(header->path, base))
        continue;
      seen[h] = true;
      for (size_t k = 0; k < u->n; k++)
        if (u->found[k]->in == header)
          return true;
      if (includes_used(unit, u, header, 0, header->ntokens, seen))
        return true;
    }
  }
  return false;
}

bool pl_has_a_say(const pl_loop *loop, const pl_unit *text, uint32_t at, uint32_t end,
                  bool chooses) {
  const using *u = uses_of(loop);
  bool *seen = PL_NEW_ARRAY(loop->arena, bool, loop->unit->nown_headers + 1);
  if (chooses && includes_used(loop->unit, u, text, at, end, seen))
    return true;
  for (size_t i = 0; i < u->n; i++) {
    const declared *one = u->found[i];
    if (one->in == text && one->last > at && one->first < end &&
        (!lies_in(one, text, at, end) || chooses ||
         (!one->is_default && is_elsewhere(u->names, one, at, end))))
      return true;
  }
  return false;
}

/* The macro behind `#include`, where it has a default. */
static pl_str default_included(const pl_unit *unit, const pl_unit *text) {
  for (size_t i = 0; i < text->ndirectives; i++) {
    pl_str name = macro_included(text, text->directives[i]);
    for (size_t k = 0; name.n && k < unit->ndefaults; k++)
      if (pl_str_eq(unit->defaults[k].name, name) &&
          pl_command_line_says(unit, name) != 'U')
        return name;
  }
  return PL_STR("");
}

pl_str pl_included_by_default(const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  pl_str name = default_included(unit, unit);
  for (size_t h = 0; h < unit->nown_headers && !name.n; h++)
    name = default_included(unit, pl_header_unit(unit, h));
  const using *u = name.n ? uses_of(loop) : NULL;
  for (size_t i = 0; u && i < u->n; i++)
    if (u->found[i]->in != unit)
      return name;
  return PL_STR("");
}
