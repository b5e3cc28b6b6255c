/* host_scan.c - what a file declares: functions, kernels, classes, type names.
 * See host.h.
 *
 * Needs: tokens. Gives: host->functions, classes, aliases. Raises: nothing. */
#include "host.h"

#include <string.h>

static const pl_host_token *token(const pl_host *h, size_t index) {
  return &h->text.tokens[index < h->text.n ? index : h->text.n - 1];
}

bool pl_host_is(const pl_host *h, size_t index, const char *text) {
  const pl_host_token *t = token(h, index);
  return t->kind != '"' && pl_str_is(t->s, text);
}

bool pl_host_is_one_of(const pl_host *h, size_t index, const char *const *texts) {
  for (; *texts; texts++)
    if (pl_host_is(h, index, *texts))
      return true;
  return false;
}

bool pl_host_at(const pl_host *h, const char *text) {
  return pl_host_is(h, h->p, text);
}

bool pl_host_ahead(const pl_host *h, size_t ahead, const char *text) {
  return pl_host_is(h, h->p + ahead, text);
}

bool pl_host_take(pl_host *h, const char *text) {
  if (!pl_host_at(h, text))
    return false;
  h->p++;
  return true;
}

/* May the token stand in a list of template arguments? */
static bool in_angles(const pl_host *h, size_t i) {
  const pl_host_token *t = token(h, i);
  static const char *const marks[] = {"::", "<", ">", ",", "*", "&", "+", "-",
                                      "/", "...", "%", "(", "[", "=="};
  if (t->kind == 'n' || t->kind == '0')
    return true;
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
    if (pl_host_is(h, i, marks[k]))
      return true;
  return false;
}

size_t pl_host_angle_end(const pl_host *h, size_t open) {
  int depth = 0;
  for (size_t i = open; in_angles(h, i); i++) {
    if (pl_host_is(h, i, "("))
      i = token(h, i)->match;
    else if (pl_host_is(h, i, "["))
      i = token(h, i)->match;
    else if (pl_host_is(h, i, "<"))
      depth++;
    else if (pl_host_is(h, i, ">") && --depth == 0)
      return i + 1;
  }
  return 0;
}

const char *pl_host_words(const pl_host *h, size_t from, size_t end) {
  pl_text text = {.arena = h->arena};
  char before = 0;
  for (size_t i = from; i < end; i++) {
    const pl_host_token *t = token(h, i);
    bool word = t->kind == 'n' || t->kind == '0';
    if (word && (before == 'n' || before == '0'))
      pl_text_add(&text, PL_STR(" "));
    pl_text_add(&text, t->s);
    if (pl_str_is(t->s, ","))
      pl_text_add(&text, PL_STR(" "));
    before = t->kind;
  }
  return text.n ? pl_arena_cstr(h->arena, pl_text_view(&text)) : "";
}

static const char *name_at(const pl_host *h, size_t i) {
  return pl_arena_cstr(h->arena, token(h, i)->s);
}

static const char *const qualifiers[] = {
    "const", "volatile", "static", "inline", "constexpr", "__restrict__",
    "restrict", "__restrict", "extern", "typename", "struct", "__global__",
    "__host__", "__device__", "__forceinline__", "register", "mutable", "class",
    "__grid_constant__", "unsigned", "signed", "template", "friend", "virtual",
    "explicit", "thread_local", "consteval", "constinit", NULL};

/* The base type of [from, end), qualifiers left out. */
static const char *base_type(pl_host *h, size_t from, size_t end) {
  pl_text text = {.arena = h->arena};
  char before = 0;
  bool is_unsigned = false;
  for (size_t i = from; i < end; i++) {
    const pl_host_token *t = token(h, i);
    is_unsigned |= pl_str_is(t->s, "unsigned");
    if (pl_host_is_one_of(h, i, qualifiers) || pl_host_is(h, i, "*") ||
        pl_host_is(h, i, "&") || pl_host_is(h, i, "&&"))
      continue;
    if (pl_host_is(h, i, "<") && pl_host_angle_end(h, i)) {
      size_t to = pl_host_angle_end(h, i);
      pl_text_printf(&text, "%s", pl_host_words(h, i, to));
      i = to - 1;
      before = 'p';
      continue;
    }
    if (t->kind == 'n' && before == 'n')
      pl_text_add(&text, PL_STR(" "));
    pl_text_add(&text, t->s);
    before = t->kind;
  }
  if (is_unsigned && text.n == 0)
    return "unsigned";
  const char *type = text.n ? pl_arena_cstr(h->arena, pl_text_view(&text)) : "";
  return strncmp(type, "std::", 5) == 0 ? type + 5 : type;
}

/* Where the declared name is: the last name before `[`, `=` and the end. */
static size_t declared_name(const pl_host *h, size_t from, size_t end) {
  size_t name = end;
  for (size_t i = from; i < end; i++) {
    if (pl_host_is(h, i, "[") || pl_host_is(h, i, "="))
      break;
    if (pl_host_is(h, i, "<") && pl_host_angle_end(h, i)) {
      i = pl_host_angle_end(h, i) - 1;
      name = end;
    } else if (token(h, i)->kind == 'n' && !pl_host_is_one_of(h, i, qualifiers)) {
      name = i;
    }
  }
  return name;
}

pl_host_param pl_host_read_param(pl_host *h, size_t from, size_t end) {
  pl_host_param p = {.name = "", .type = ""};
  size_t name = declared_name(h, from, end);
  bool only_type = name == from || name == end ||
                   pl_host_is(h, name - 1, "::");
  size_t type_end = only_type ? end : name;
  if (!only_type)
    p.name = name_at(h, name);
  for (size_t i = from; i < end && !pl_host_is(h, i, "="); i++) {
    if (pl_host_is(h, i, "<") && pl_host_angle_end(h, i))
      i = pl_host_angle_end(h, i) - 1;
    p.stars += pl_host_is(h, i, "*") || pl_host_is(h, i, "[");
    p.is_reference |= pl_host_is(h, i, "&") || pl_host_is(h, i, "&&");
    if (pl_host_is(h, i, "const") && p.stars == 0)
      p.is_const = true;
  }
  p.points_to_const = p.is_const && p.stars == 1;
  for (size_t i = from; i < end; i++)
    if (pl_host_is(h, i, "=")) {
      p.fallback = i + 1;
      type_end = type_end < i ? type_end : i;
      break;
    }
  p.type = base_type(h, from, type_end);
  return p;
}

/* Calls `item` for each stretch between commas of [from, end). */
static void each_item(pl_host *h, size_t from, size_t end,
                      void (*item)(pl_host *, size_t, size_t, void *),
                      void *context) {
  size_t start = from;
  for (size_t i = from; i < end; i++) {
    if (token(h, i)->match > i)
      i = token(h, i)->match;
    else if (pl_host_is(h, i, "<") && pl_host_angle_end(h, i))
      i = pl_host_angle_end(h, i) - 1;
    else if (pl_host_is(h, i, ",")) {
      item(h, start, i, context);
      start = i + 1;
    }
  }
  if (start < end)
    item(h, start, end, context);
}

typedef struct params {
  pl_host_function *f;
  size_t cap;
} params;

static void add_param(pl_host *h, size_t from, size_t end, void *context) {
  params *to = context;
  pl_host_param p = pl_host_read_param(h, from, end);
  bool is_void = strcmp(p.type, "void") == 0 && !p.stars && !*p.name;
  if (!is_void)
    PL_PUSH(h->arena, to->f->params, to->f->n_params, to->cap, p);
}

typedef struct template_head {
  const char **names, **types;
  size_t *fallbacks;
  size_t n, caps[3];
} template_head;

static void add_template(pl_host *h, size_t from, size_t end, void *context) {
  template_head *t = context;
  size_t n = t->n, m = t->n;
  pl_host_param p = pl_host_read_param(h, from, end);
  bool type = pl_host_is(h, from, "typename") || pl_host_is(h, from, "class");
  const char *name = *p.name || type == false ? p.name : p.type;
  PL_PUSH(h->arena, t->types, n, t->caps[1], type ? "typename" : p.type);
  PL_PUSH(h->arena, t->fallbacks, m, t->caps[2], p.fallback);
  PL_PUSH(h->arena, t->names, t->n, t->caps[0], name);
}

/* `template <...>` at `*at`, which is moved behind it. */
static template_head read_template(pl_host *h, size_t *at) {
  template_head t = {0};
  size_t open = *at + 1, end = pl_host_angle_end(h, open);
  if (!pl_host_is(h, open, "<"))
    return t;
  if (!end) { /* defaults with `=` in them */
    int depth = 0;
    for (end = open; end < h->text.n - 1; end++) {
      depth += pl_host_is(h, end, "<") - pl_host_is(h, end, ">");
      if (depth == 0)
        break;
    }
    end++;
  }
  each_item(h, open + 1, end - 1, add_template, &t);
  *at = end;
  return t;
}

typedef struct place {
  const char *scope;        /* "ns::" */
  const pl_host_class *of;
} place;

static void scan_range(pl_host *h, size_t from, size_t end, place at);

static bool launches_in(const pl_host *h, size_t from, size_t end) {
  for (size_t i = from; i < end; i++)
    if (pl_host_is(h, i, "<<<") || pl_host_is_launch_call(h, i))
      return true;
  return false;
}

/* The `)`-`{` of a definition whose `(` is at `open`: the `{`, or 0. *inits is
 * behind a constructor's ':'. */
static size_t body_of(const pl_host *h, size_t open, size_t end,
                      size_t *inits) {
  for (size_t i = token(h, open)->match + 1; i < end; i++) {
    if (pl_host_is(h, i, ":")) {
      *inits = i + 1;
      for (i++; i + 1 < end; i++) { /* name(...) or name{...} */
        if (token(h, i)->match > i) {
          size_t to = token(h, i)->match;
          if (!pl_host_is(h, to + 1, ","))
            return pl_host_is(h, to + 1, "{") ? to + 1 : 0;
          i = to;
        }
      }
      return 0;
    }
    if (pl_host_is(h, i, "{"))
      return i;
    if (pl_host_is(h, i, ";") || pl_host_is(h, i, "=") ||
        pl_host_is(h, i, ","))
      return 0;
    if (token(h, i)->match > i)
      i = token(h, i)->match;
  }
  return 0;
}

/* The name before `open`, where it may be a function's that is defined here. */
static bool is_definition_name(const pl_host *h, size_t from, size_t open) {
  static const char *const no_name[] = {
      "if", "while", "for", "switch", "return", "sizeof", "decltype",
      "__launch_bounds__", "__attribute__", "alignas", "__align__",
      "static_assert", "noexcept", NULL};
  return open > from && token(h, open - 1)->kind == 'n' &&
         !pl_host_is_one_of(h, open - 1, no_name);
}

static void add_function(pl_host *h, size_t from, size_t open, size_t body,
                         size_t inits, const template_head *t, place at) {
  pl_host_function f = {
      .name = name_at(h, open - 1), .scope = at.scope, .of = at.of,
      .templates = t->names, .template_types = t->types,
      .template_fallbacks = t->fallbacks, .n_templates = t->n,
      .inits = inits, .body = body, .line = token(h, open - 1)->line};
  f.end = body ? token(h, body)->match : 0;
  bool host = false;
  for (size_t i = from; i < open; i++) {
    f.is_kernel |= pl_host_is(h, i, "__global__");
    f.is_device |= pl_host_is(h, i, "__device__");
    host |= pl_host_is(h, i, "__host__") || pl_host_is(h, i, "constexpr");
  }
  f.is_device &= !host;
  if (open >= 2 && pl_host_is(h, open - 2, "::") && open >= 3)
    f.of = pl_host_find_class(h, name_at(h, open - 3));
  f.is_constructor = f.of && strcmp(f.of->name, f.name) == 0 &&
                     !pl_host_is(h, open - 2, "~");
  if (f.of && pl_host_is(h, open - 2, "~"))
    return;
  f.launches = body && launches_in(h, body, f.end);
  params to = {&f, 0};
  each_item(h, open + 1, token(h, open)->match, add_param, &to);
  PL_PUSH(h->arena, h->functions, h->n_functions, h->cap_functions, f);
}

/* `class X : base {`: where the '{' is, or 0. */
static size_t class_body(const pl_host *h, size_t at, size_t end) {
  for (size_t i = at; i < end; i++) {
    if (pl_host_is(h, i, "{"))
      return i;
    if (pl_host_is(h, i, ";") || pl_host_is(h, i, "(") ||
        pl_host_is(h, i, "="))
      return 0;
  }
  return 0;
}

static void add_class(pl_host *h, size_t name, size_t body,
                      const template_head *t, place at) {
  pl_host_class c = {.name = name_at(h, name), .templates = t->names,
                     .n_templates = t->n, .body = body,
                     .end = token(h, body)->match};
  const pl_host_class *known = pl_host_find_class(h, c.name);
  if (!known) {
    PL_PUSH(h->arena, h->classes, h->n_classes, h->cap_classes, c);
    known = pl_host_find_class(h, c.name);
  }
  scan_range(h, body + 1, c.end, (place){at.scope, known});
}

static void add_alias(pl_host *h, const char *name, size_t from, size_t end) {
  pl_host_alias a = {name, NULL};
  pl_host_param p = pl_host_read_param(h, from, end);
  a.type = *p.name && !p.stars ? base_type(h, from, end) : p.type;
  if (!p.stars)
    PL_PUSH(h->arena, h->aliases, h->n_aliases, h->cap_aliases, a);
}

/* Up to the `;` or behind the `}` that ends the declaration at `i`. */
static size_t skip_declaration(const pl_host *h, size_t i, size_t end) {
  bool type = pl_host_is_one_of(h, i, (const char *const[]){"typedef", "struct", "class",
                                                    "enum", "union", NULL});
  for (; i < end; i++) {
    if (pl_host_is(h, i, ";"))
      return i + 1;
    if (token(h, i)->match > i) {
      bool brace = pl_host_is(h, i, "{");
      i = token(h, i)->match;
      if (brace && !type && !pl_host_is(h, i + 1, ";") &&
          !pl_host_is(h, i + 1, ","))
        return i + 1;
    }
  }
  return end;
}

/* using A = B; typedef B A; typedef struct {...} A; */
static bool scan_type_name(pl_host *h, size_t i, size_t end, place at) {
  size_t to = skip_declaration(h, i, end) - 1;
  if (pl_host_is(h, i, "using") && pl_host_is(h, i + 2, "=")) {
    add_alias(h, name_at(h, i + 1), i + 3, to);
    return true;
  }
  if (!pl_host_is(h, i, "typedef"))
    return false;
  bool made = pl_host_is(h, i + 1, "struct") || pl_host_is(h, i + 1, "class");
  size_t body = made ? class_body(h, i, to) : 0;
  const template_head none = {0};
  if (body)
    add_class(h, to - 1, body, &none, at);
  else if (token(h, to - 1)->kind == 'n')
    add_alias(h, name_at(h, to - 1), i + 1, to - 1);
  return true;
}

static const char *joined(pl_host *h, const char *scope, const char *name) {
  return pl_arena_printf(h->arena, "%s%s::", scope, name).p;
}

/* `namespace a::b {`: everything in it. Behind it, or 0: it is none. */
static size_t scan_namespace(pl_host *h, size_t i, place at) {
  size_t k = i;
  const char *scope = at.scope;
  while (pl_host_is(h, k, "inline") || pl_host_is(h, k, "extern"))
    k++;
  if (pl_host_is(h, k, "namespace")) {
    for (k++; token(h, k)->kind == 'n' || pl_host_is(h, k, "::"); k++)
      if (token(h, k)->kind == 'n')
        scope = joined(h, scope, name_at(h, k));
  } else if (k > i && token(h, k)->kind == '"') {
    k++;
  } else {
    return 0;
  }
  if (!pl_host_is(h, k, "{"))
    return 0;
  scan_range(h, k + 1, token(h, k)->match, (place){scope, at.of});
  return token(h, k)->match + 1;
}

/* A function at `i`: its end, or 0: there is none. */
static size_t scan_function(pl_host *h, size_t i, size_t end,
                            const template_head *t, place at) {
  for (size_t k = i; k < end; k++) {
    if (pl_host_is(h, k, ";") || pl_host_is(h, k, "=") ||
        pl_host_is(h, k, "{"))
      return 0;
    if (pl_host_is(h, k, "<") && pl_host_angle_end(h, k)) {
      k = pl_host_angle_end(h, k) - 1;
      continue;
    }
    if (!pl_host_is(h, k, "("))
      continue;
    size_t inits = 0;
    size_t body = body_of(h, k, end, &inits);
    if (body && is_definition_name(h, i, k)) {
      add_function(h, i, k, body, inits, t, at);
      return token(h, body)->match + 1;
    }
    k = token(h, k)->match;
  }
  return 0;
}

static bool is_class_word(const pl_host *h, size_t i) {
  return pl_host_is(h, i, "struct") || pl_host_is(h, i, "class");
}

static size_t scan_class(pl_host *h, size_t i, size_t end,
                         const template_head *t, place at) {
  size_t name = i + 1;
  while (token(h, name)->kind == 'n' &&
         (pl_host_is(h, name, "__align__") || pl_host_is(h, name, "alignas")))
    name = token(h, name + 1)->match + 1;
  size_t body = is_class_word(h, i) ? class_body(h, i, end) : 0;
  if (!body || token(h, name)->kind != 'n')
    return 0;
  add_class(h, name, body, t, at);
  return skip_declaration(h, token(h, body)->match + 1, end);
}

/* The declarations of [from, end). */
static void scan_range(pl_host *h, size_t from, size_t end, place at) {
  for (size_t i = from; i < end;) {
    template_head t = {0};
    while (pl_host_is(h, i, "template") && pl_host_is(h, i + 1, "<")) {
      size_t before = i;
      t = read_template(h, &i);
      if (i == before)
        i++;
    }
    bool label = pl_host_is_one_of(
        h, i, (const char *const[]){"public", "private", "protected", NULL});
    size_t next = scan_namespace(h, i, at);
    if (!next && label)
      next = i + 2;
    if (!next && scan_type_name(h, i, end, at))
      next = skip_declaration(h, i, end);
    if (!next)
      next = scan_class(h, i, end, &t, at);
    if (!next)
      next = scan_function(h, i, end, &t, at);
    if (!next)
      next = skip_declaration(h, i, end);
    i = next > i ? next : i + 1;
  }
}

void pl_host_scan(pl_host *h) {
  scan_range(h, 0, h->text.n - 1, (place){"", NULL});
}

const pl_host_class *pl_host_find_class(const pl_host *h, const char *name) {
  for (size_t i = 0; i < h->n_classes; i++)
    if (strcmp(h->classes[i].name, name) == 0)
      return &h->classes[i];
  return NULL;
}

/* May it be called with so many arguments? */
static bool takes(const pl_host_function *f, size_t n) {
  size_t least = 0;
  for (size_t i = 0; i < f->n_params; i++)
    least += !f->params[i].fallback;
  return n >= least && n <= f->n_params;
}

pl_host_function *pl_host_find_function(pl_host *h, const char *name,
                                        size_t n_args) {
  pl_host_function *found = NULL;
  for (size_t i = 0; i < h->n_functions; i++) {
    pl_host_function *f = &h->functions[i];
    if (!f->of && strcmp(f->name, name) == 0 && takes(f, n_args) && !found)
      found = f;
  }
  return found;
}
