/* preprocessor.c - what does the preprocessor see, as far as is known?
 *
 * Needs: the texts of the file and of its own headers, the command line, what a build says.
 * Gives: which branches are seen, which are not, and of which that is open; what to ask of
 * the build for the rest. Raises nothing.
 *
 * The directives are gone through in the order in which the preprocessor meets them. An
 * answer has three values, as in Kleene's logic. */
#include "preprocessor.h"

#include "macros.h"

#include <string.h>

#define MOST_EXPANSIONS 8
#define MOST_INCLUDED 20000

pl_directive_kind pl_directive_kind_of(pl_str word) {
  if (pl_str_starts(word, "if"))
    return PL_DIRECTIVE_IF;
  if (pl_str_starts(word, "elif"))
    return PL_DIRECTIVE_ELIF;
  if (pl_str_starts(word, "else"))
    return PL_DIRECTIVE_ELSE;
  return pl_str_starts(word, "endif") ? PL_DIRECTIVE_ENDIF : PL_DIRECTIVE_OTHER;
}

/* How many tokens the operand at `at` has that asks for a name: X, defined X,
 * defined(X); 0: it is another. */
static uint32_t operand_length(const pl_str *words, uint32_t n, uint32_t at) {
  if (at < n && !pl_str_is(words[at], "defined"))
    return 1;
  if (at + 3 < n && pl_str_is(words[at + 1], "("))
    return 4;
  return at + 1 < n ? 2 : 0;
}

/* The condition behind #if, `defined(X)` as `defined X`, without the `!` in
 * front of a lone operand. */
static pl_str condition_of(pl_arena *arena, pl_str text, bool *negated) {
  pl_text out = {.arena = arena};
  uint32_t ntokens, n = 0, at = 0;
  pl_token *tokens = pl_lex(arena, text, &ntokens);
  pl_str *words = PL_NEW_ARRAY(arena, pl_str, ntokens + 1);
  for (uint32_t i = 0; i < ntokens; i++)
    if (tokens[i].kind != PL_TOK_COMMENT)
      words[n++] = pl_token_in(text, &tokens[i]);
  if (n > 1 && pl_str_is(words[0], "!") &&
      operand_length(words, n, 1) == n - 1) {
    *negated = !*negated;
    at = 1;
  }
  for (uint32_t skip; at < n; at += skip) {
    bool asks = pl_str_is(words[at], "defined");
    skip = operand_length(words, n, at);
    pl_str name = asks && skip ? words[at + skip / 2] : words[at];
    pl_text_printf(&out, "%s%s%.*s", out.n ? " " : "", asks ? "defined " : "",
                   PL_FMT(name));
    skip = skip ? skip : 1;
  }
  return pl_text_view(&out);
}

/* ---- a directive --------------------------------------------------------- */

pl_directive pl_directive_read(pl_arena *arena, pl_str text) {
  pl_str word = pl_directive_word(text);
  pl_directive d = {.kind = pl_directive_kind_of(word)};
  if (d.kind != PL_DIRECTIVE_IF && d.kind != PL_DIRECTIVE_ELIF)
    return d;
  size_t n = d.kind == PL_DIRECTIVE_IF ? 2 : 4;
  pl_str rest = {word.p + n, word.n - n};
  bool names = pl_str_starts(rest, "def"), none = pl_str_starts(rest, "ndef");
  size_t skipped = names ? 3 : none ? 4 : 0;
  rest = (pl_str){rest.p + skipped, rest.n - skipped};
  d.negated = none;
  d.condition = condition_of(arena, rest, &d.negated);
  if (names || none)
    d.condition = pl_arena_printf(arena, "defined %.*s", PL_FMT(d.condition));
  return d;
}

/* ---- compilers -------------------------------------------------------------- */

/* What compiles the file: nvcc with one of the compilers of hosts that it takes, or clang
 * by itself. */
typedef enum compiler {
  NVCC_GCC,
  NVCC_GCC_ARM,
  NVCC_CLANG,
  CLANG,
  NVCC_MSVC,
  NCOMPILERS
} compiler;

#define THE_COMPILER PL_STR("the compiler")

/* What one defines, by these in order: a number of its own 'N', 1, or nothing '-'. From
 * the manuals: gcc "Predefined Macros", MSVC "Predefined macros", nvcc "4.1", clang
 * "Compiling CUDA with clang". */
static const struct {
  const char *name, *by;
} own_names[] = {
    {"__CUDACC__", "11111"},      {"__NVCC__", "111-1"},        {"__CUDA__", "---1-"},
    {"__GNUC__", "NNNN-"},        {"__GNUG__", "NNNN-"},        {"__GNUC_MINOR__", "NNNN-"},
    {"__clang__", "--11-"},       {"__clang_major__", "--NN-"}, {"__clang_minor__", "--NN-"},
    {"__llvm__", "--11-"},        {"_MSC_VER", "----N"},        {"_MSC_FULL_VER", "----N"},
    {"_WIN32", "----1"},          {"_WIN64", "----1"},          {"_M_X64", "----1"},
    {"__linux__", "1111-"},       {"__linux", "1111-"},         {"__gnu_linux__", "1111-"},
    {"__unix__", "1111-"},        {"__unix", "1111-"},          {"__x86_64__", "1-11-"},
    {"__x86_64", "1-11-"},        {"__amd64__", "1-11-"},       {"__aarch64__", "-1---"},
    {"__CUDA_ARCH__", "NNNNN"},   {"__cplusplus", "NNNNN"},     {"__STDC_HOSTED__", "11111"},
};

/* What begins the names of compilers and platforms for which nvcc makes no code, and none of
 * what is asked of a text outside of functions is asked for. */
static const char *const others_names[] = {
    "__HIP",  "__HCC",    "__AMD",  "__ROCM",   "__SYCL", "__OPENCL", "__METAL", "__APPLE",
    "__MINGW", "__CYGWIN", "__INTEL", "__ICC", "__PGI",  "__IBM",    "__ppc",   "__power",
    "__i386", "_M_IX86",
};

/* ---- texts, as they are read ------------------------------------------------- */

static uint32_t hash_of(pl_str s) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < s.n; i++)
    h = (h ^ (unsigned char)s.p[i]) * 16777619u;
  return h;
}

static void put_slot(pl_directives *d, uint32_t name) {
  uint32_t at = hash_of(d->names[name]) & (d->nslots - 1);
  while (d->slots[at])
    at = (at + 1) & (d->nslots - 1);
  d->slots[at] = name;
}

/* The number of a name that some directive defines; 0: none does, and it is not to be
 * added. */
static uint32_t name_of(pl_directives *d, pl_str s, bool add) {
  for (uint32_t at = hash_of(s) & (d->nslots - 1); d->slots[at]; at = (at + 1) & (d->nslots - 1))
    if (pl_str_eq(d->names[d->slots[at]], s))
      return d->slots[at];
  if (!add)
    return 0;
  size_t n = d->nnames;
  PL_PUSH(d->arena, d->names, n, d->names_cap, s);
  d->nnames = (uint32_t)n;
  if (2 * d->nnames > d->nslots) {
    d->nslots *= 4;
    d->slots = PL_NEW_ARRAY(d->arena, uint32_t, d->nslots);
    for (uint32_t i = 1; i + 1 < d->nnames; i++)
      put_slot(d, i);
  }
  put_slot(d, d->nnames - 1);
  return d->nnames - 1;
}

/* The path behind `include`, or a macro's name. */
static void read_include(pl_directives *d, pl_str word, pl_step *o) {
  pl_str verb = pl_first_word(word);
  pl_str rest = pl_past_blanks((pl_str){word.p + verb.n, word.n - verb.n});
  pl_str name = pl_first_word(rest);
  char close = rest.n && rest.p[0] == '<' ? '>' : '"';
  const char *end = rest.n > 1 ? memchr(rest.p + 1, close, rest.n - 1) : NULL;
  o->kind = PL_STEP_INCLUDE;
  if (name.n)
    o->name = name_of(d, name, true);
  else if (end)
    o->body = (pl_str){rest.p + 1, (size_t)(end - rest.p - 1)};
}

static bool read_op(pl_directives *d, const pl_unit *unit, uint32_t token, pl_step *o) {
  pl_str word = pl_directive_at(unit, token);
  pl_macro_line line = pl_macro_of(word);
  pl_directive_kind kind = pl_directive_kind_of(word);
  *o = (pl_step){.token = token, .kind = kind == PL_DIRECTIVE_ENDIF ? PL_STEP_END : PL_STEP_BRANCH};
  if (kind != PL_DIRECTIVE_OTHER) {
    o->read = pl_directive_read(d->arena, pl_token_text(unit, token));
    if (kind == PL_DIRECTIVE_IF || kind == PL_DIRECTIVE_ELIF)
      o->term = pl_term_read(d->arena, o->read.condition);
    return true;
  }
  if (line.name.n) {
    o->kind = line.defines ? PL_STEP_DEFINE : PL_STEP_UNDEF;
    o->name = name_of(d, line.name, true);
    o->body = line.body;
    return true;
  }
  if (pl_str_starts(word, "include") || pl_str_starts(word, "import"))
    read_include(d, word, o);
  pl_str popped = pl_popped_name(word);
  if (popped.n) {
    o->kind = PL_STEP_POP;
    o->name = name_of(d, popped, true);
    return true;
  }
  o->kind = pl_is_pragma_once(word)         ? PL_STEP_ONCE
            : pl_str_starts(word, "error") ? PL_STEP_ERROR
                                           : o->kind;
  return o->kind == PL_STEP_INCLUDE || o->kind == PL_STEP_ONCE || o->kind == PL_STEP_ERROR;
}

/* The name for which a branch asks that it is not defined. */
static uint32_t refuted_name(pl_directives *d, const pl_step *o) {
  bool negated = o->read.negated;
  const pl_term *t = o->term;
  for (; t && t->kind == PL_TERM_UNARY && pl_str_is(t->name, "!"); negated = !negated)
    t = t->kids[0];
  return t && t->kind == PL_TERM_DEFINED && negated ? name_of(d, t->name, true) : 0;
}

/* Finds the groups of a text, its defaults, and what guards it as a header. */
static void find_groups(pl_directives *d, pl_step_text *t) {
  uint32_t open[PL_MOST_NESTED], n = 0, first = t->first;
  bool in_file = t == d->texts;
  while (first < t->end && d->ops[first].kind != PL_STEP_BRANCH &&
         (!in_file || d->ops[first].kind == PL_STEP_ONCE))
    first++;
  for (uint32_t i = t->first; i < t->end; i++) {
    pl_step *o = &d->ops[i];
    if (o->kind == PL_STEP_BRANCH && o->read.kind == PL_DIRECTIVE_IF) {
      uint32_t name = refuted_name(d, o);
      o->is_default = name && i + 1 < t->end && d->ops[i + 1].kind == PL_STEP_DEFINE &&
                      d->ops[i + 1].name == name;
      if (n < PL_MOST_NESTED)
        open[n] = i;
      n++;
    }
    o->first = n && n <= PL_MOST_NESTED ? open[n - 1] : i;
    n -= o->kind == PL_STEP_END && n;
    if (o->kind == PL_STEP_END && o->first == first && (i + 1 == t->end || !in_file) &&
        d->ops[first].is_default && !pl_first_word(pl_str_trimmed(d->ops[first + 1].body)).n) {
      d->guards[d->ops[first + 1].name] = true;
      t->is_once |= i + 1 == t->end && first == t->first;
    }
    t->is_once |= o->kind == PL_STEP_ONCE && !n;
  }
}

/* Whether the brace at a token opens a namespace, or `extern "C"`. */
static bool opens_namespace(const pl_unit *unit, uint32_t at) {
  static const char *const ends[] = {";", "{", "}", ")"};
  while (at-- > 0 && !PL_STR_IS_ONE(pl_token_text(unit, at), ends))
    if (pl_token_is(unit, at, "namespace") || pl_token_is(unit, at, "extern"))
      return true;
  return false;
}

static void read_text(pl_directives *d, pl_step_text *t, const pl_unit *unit) {
  int depth = 0, namespaces = 0;
  uint32_t at = 0;
  *t = (pl_step_text){.unit = unit, .first = (uint32_t)d->nops};
  for (size_t i = 0; i < unit->ndirectives; i++) {
    pl_step o;
    for (; t == d->texts && at < unit->directives[i]; at++) {
      bool opens = pl_token_is(unit, at, "{");
      namespaces += opens && depth == namespaces && opens_namespace(unit, at);
      depth += opens - pl_token_is(unit, at, "}");
      namespaces = namespaces > depth ? depth : namespaces;
    }
    if (!read_op(d, unit, unit->directives[i], &o))
      continue;
    o.in_braces = depth > namespaces;
    PL_PUSH(d->arena, d->ops, d->nops, d->ops_cap, o);
  }
  t->end = (uint32_t)d->nops;
}

static bool ends_with(pl_str path, pl_str name) {
  return path.n >= name.n && name.n && memcmp(path.p + path.n - name.n, name.p, name.n) == 0 &&
         (path.n == name.n || path.p[path.n - name.n - 1] == '/');
}

/* Without what leads up and down again: `./`, `../`. */
static pl_str plain_path(pl_str path) {
  while (pl_str_starts(path, "./") || pl_str_starts(path, "../")) {
    size_t n = path.p[1] == '/' ? 2 : 3;
    path = (pl_str){path.p + n, path.n - n};
  }
  return path;
}

/* The header that a directive of a text is the first to include; 0: it is none. */
static size_t first_included(const pl_directives *d, const pl_unit *by, const pl_step *o) {
  pl_range at = by->tokens[o->token].range;
  for (size_t i = 1; i < d->ntexts; i++) {
    const pl_own_header *h = &d->unit->own_headers[i - 1];
    bool is_it = o->name || ends_with(d->texts[i].unit->path, plain_path(o->body));
    if (is_it && pl_str_eq(h->by, by->path) && h->at >= at.begin && h->at < at.end)
      return i;
  }
  return 0;
}

/* The header of the user's that a path leads to from a text, the one in the same folder where
 * there are several; 0: it is none. */
static size_t included(const pl_directives *d, const pl_unit *by, pl_str path) {
  size_t found = 0;
  size_t folder = by->path.n;
  while (folder && by->path.p[folder - 1] != '/')
    folder--;
  pl_str beside = pl_arena_printf(d->arena, "%.*s%.*s", (int)folder, by->path.p, PL_FMT(path));
  for (size_t i = 1; i < d->ntexts; i++) {
    pl_str at = d->texts[i].unit->path;
    if (pl_str_eq(at, beside))
      return i;
    if (!found && ends_with(at, plain_path(path)))
      found = i;
  }
  return found;
}

static void find_included(pl_directives *d) {
  bool by_name = false;
  for (size_t t = 0; t < d->ntexts; t++)
    for (uint32_t i = d->texts[t].first; i < d->texts[t].end; i++) {
      pl_step *o = &d->ops[i];
      by_name |= o->kind == PL_STEP_INCLUDE && o->name;
      o->header = o->kind == PL_STEP_INCLUDE ? first_included(d, d->texts[t].unit, o) : 0;
      if (!o->header && o->kind == PL_STEP_INCLUDE)
        o->header = included(d, d->texts[t].unit, o->body);
      d->texts[o->header].is_included = true;
    }
  for (size_t t = 0; t < d->ntexts; t++)
    d->texts[t].is_included |= by_name;
}

/* ---- what a build may say ---------------------------------------------------- */

static size_t atom_of(pl_directives *d, pl_str key) {
  size_t *last = &d->atoms_by_hash[hash_of(key) % PL_ATOM_LISTS];
  for (size_t i = *last; i; i = d->atoms[i - 1].next)
    if (pl_str_eq(d->atoms[i - 1].key, key))
      return i - 1;
  pl_atom one = {.key = pl_arena_str(d->arena, key.p, key.n), .next = *last};
  PL_PUSH(d->arena, d->atoms, d->natoms, d->atoms_cap, one);
  *last = d->natoms;
  return d->natoms - 1;
}

static bool compares(pl_str op, int64_t a, int64_t b) {
  bool equal = a == b && op.n == 2 && op.p[1] == '=';
  switch (op.p[0]) {
  case '<': return a < b || equal;
  case '>': return a > b || equal;
  case '!': return a != b;
  default: return equal;
  }
}

/* Takes note of a comparison that makes a difference; false: it was known to. */
static bool compare_atom(pl_atom *a, pl_str op, int64_t value) {
  for (size_t i = 0; i < a->n; i++)
    if (pl_str_eq(a->compared[i].op, op) && a->compared[i].value == value)
      return false;
  a->is_full = a->n == PL_MOST_COMPARED;
  if (!a->is_full)
    a->compared[a->n++] = (pl_comparison){op, value};
  return !a->is_full;
}

static bool is_alike(const pl_atom *a, const pl_said *x, const pl_said *y) {
  bool same = !a->asked || x->undefined == y->undefined;
  for (size_t i = 0; i < a->n && same; i++)
    same = compares(a->compared[i].op, x->value, a->compared[i].value) ==
           compares(a->compared[i].op, y->value, a->compared[i].value);
  return same;
}

static void say(const pl_atom *a, bool undefined, int64_t value, pl_sayings *all) {
  pl_said one = {a->key, undefined, value};
  bool known = a->is_always && (undefined || value <= 0);
  for (size_t i = 0; i < all->n && !known; i++)
    known = is_alike(a, &all->items[i], &one);
  if (!known)
    all->items[all->n++] = one;
}

pl_sayings pl_sayings_of(const pl_atom *a) {
  pl_sayings all = {0};
  if (pl_str_eq(a->key, THE_COMPILER)) {
    for (int i = 0; i < NCOMPILERS; i++)
      all.items[all.n++] = (pl_said){a->key, false, i};
    return all;
  }
  say(a, true, 0, &all);
  say(a, false, 1, &all);
  for (size_t i = 0; i < a->n; i++)
    for (int64_t by = -1; by <= 1; by++)
      say(a, false, a->compared[i].value + by, &all);
  return all;
}

/* ---- the way through the directives -------------------------------------------- */

typedef struct macro {
  bool met; /* #define or #undef was */
  bool unsure; /* of what is below */
  pl_answer defined;
  pl_step *by;         /* as what it is defined */
  size_t because; /* what to ask where that is not known */
} macro;

/* A number, or neither known nor asked for yet. What a build says of an atom stands for all
 * that its comparisons do not tell from it. */
typedef struct number {
  bool known, asked; /* asked: what it hangs on is told already */
  int64_t value;
  size_t of; /* the atom whose it is */
  bool is_unsigned;
} number;

static const number none = {.of = PL_ASKS_NOTHING};

static number known(int64_t value) {
  return (number){.known = true, .value = value, .of = PL_ASKS_NOTHING};
}

static number ask(pl_seen *w, size_t what) {
  if (w->asked == PL_ASKS_NOTHING)
    w->asked = what;
  return (number){.asked = true, .of = PL_ASKS_NOTHING};
}

static const pl_said *said_of(const pl_seen *w, pl_str key) {
  for (size_t i = 0; i < w->nsaid; i++)
    if (pl_str_eq(w->said[i].key, key))
      return &w->said[i];
  return NULL;
}

static pl_answer truth(pl_seen *w, const pl_term *t);
static number value_of(pl_seen *w, const pl_term *t);

/* What every compiler defines of a name: '-', '1', 'N'; '?': they differ, and which one
 * it is is not known; 0: it is none of theirs. */
static char compilers_answer(pl_seen *w, pl_str name) {
  for (size_t i = 0; !w->in_braces && i < sizeof others_names / sizeof *others_names; i++)
    if (pl_str_starts(name, others_names[i]))
      return '-';
  for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++) {
    const char *by = own_names[i].by;
    if (!pl_str_is(name, own_names[i].name))
      continue;
    const pl_said *which = said_of(w, THE_COMPILER);
    if (which || w->is_here)
      return by[which ? which->value : NVCC_GCC];
    return strspn(by, (char[]){by[0], 0}) == NCOMPILERS ? by[0] : '?';
  }
  return 0;
}

/* What `-DNAME` and `-DNAME=2` give. */
static pl_str commands_value(const pl_unit *unit, pl_str name) {
  pl_str value = pl_command_line_value(unit, name);
  return value.n ? value : PL_STR("1");
}

/* What is known of a name ahead of any directive. */
static pl_answer given(pl_seen *w, pl_str word, number *value) {
  char own = w->d->guards[name_of(w->d, word, false)] ||
                     pl_command_line_says(w->d->unit, word) == 'U'
                 ? '-'
                 : compilers_answer(w, word);
  *value = known(own == '1');
  if (own == '-' || own == '1')
    return own == '1' ? PL_YES : PL_NO;
  if (own == '?') {
    *value = ask(w, atom_of(w->d, THE_COMPILER));
    return PL_UNKNOWN;
  }
  if (w->is_here && pl_str_is(word, "__CUDA_ARCH__")) {
    *value = known(w->d->unit->arch > 0 ? w->d->unit->arch * 10 : 800);
    return PL_YES;
  }
  if (w->is_here && !own && word.p[0] != '_' && !pl_macro_is_given(w->d->unit, word)) {
    bool says = pl_command_line_says(w->d->unit, word) == 'D';
    *value = says ? value_of(w, pl_term_read(w->d->arena, commands_value(w->d->unit, word)))
                  : known(0);
    return says ? PL_YES : PL_NO;
  }
  const pl_said *said = said_of(w, word);
  size_t of = atom_of(w->d, word);
  w->d->atoms[of].is_always = own == 'N';
  *value = (number){.known = said, .value = said ? said->value : 0, .of = of};
  return own == 'N' ? PL_YES : !said ? PL_UNKNOWN : said->undefined ? PL_NO : PL_YES;
}

static pl_answer is_defined(pl_seen *w, pl_str word) {
  number value;
  const macro *m = &w->macros[name_of(w->d, word, false)];
  pl_answer answer = m->met ? m->defined : given(w, word, &value);
  if (m->met) {
    if (answer == PL_UNKNOWN)
      ask(w, m->because);
  } else if (value.of != PL_ASKS_NOTHING) {
    pl_atom *a = &w->d->atoms[value.of];
    w->d->learned |= value.known && !a->asked && !a->is_always;
    a->asked |= !a->is_always;
    if (answer == PL_UNKNOWN)
      ask(w, value.of);
  }
  return answer;
}

/* Whether the `(` of a list of parameters stands right behind the name. */
static bool takes_operands(const pl_step *o) { return o->body.n && o->body.p[0] == '('; }

/* The words of a text with what stands for its parameters. */
static pl_str words_of(pl_arena *arena, pl_str body, pl_str parameters, const pl_str *operands,
                       size_t n) {
  pl_directive d = pl_directive_read(arena, pl_arena_printf(arena, "#if %.*s", PL_FMT(body)));
  pl_text out = {.arena = arena};
  if (d.negated)
    pl_text_add(&out, PL_STR("! "));
  for (pl_str rest = d.condition; rest.n;) {
    pl_str word = {rest.p, 0}, put;
    while (word.n < rest.n && word.p[word.n] != ' ')
      word.n++;
    put = word;
    size_t i = 0;
    for (pl_str list = parameters; list.n && i < n;) {
      pl_str parameter = pl_first_word(list);
      if (parameter.n && pl_str_eq(parameter, word))
        put = operands[i];
      i += parameter.n > 0;
      size_t past = parameter.n ? parameter.n : 1;
      list = (pl_str){list.p + past, list.n - past};
    }
    pl_text_printf(&out, "%s%.*s", out.n ? " " : "", PL_FMT(put));
    size_t past = word.n < rest.n ? word.n + 1 : word.n;
    rest = (pl_str){rest.p + past, rest.n - past};
  }
  return pl_text_view(&out);
}

/* The operands of a call, between commas. */
static size_t operands_of(pl_str all, pl_str *operands, size_t most) {
  size_t n = 0, begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= all.n && n < most; i++) {
    char c = i < all.n ? all.p[i] : ',';
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth <= 0) {
      operands[n++] = pl_str_trimmed((pl_str){all.p + begin, i - begin});
      begin = i + 1;
    }
  }
  return n;
}

/* What a macro's body is; NULL: it is not read here. */
static const pl_term *expansion(pl_seen *w, pl_step *by, const pl_term *use) {
  pl_arena *arena = w->arena;
  pl_str body = by->body, parameters = {0}, operands[8];
  size_t n = 0;
  if (pl_str_has(body, "#") || w->depth > MOST_EXPANSIONS)
    return NULL;
  if (use->kind == PL_TERM_CALL) {
    const char *close = memchr(body.p, ')', body.n);
    if (!takes_operands(by) || !close)
      return NULL;
    parameters = (pl_str){body.p + 1, (size_t)(close - body.p - 1)};
    body = (pl_str){close + 1, body.n - (size_t)(close + 1 - body.p)};
    n = operands_of(use->operands, operands, 8);
  } else if (takes_operands(by)) {
    return NULL;
  }
  pl_str words = words_of(arena, body, parameters, operands, n);
  const pl_term *says = words.n ? pl_term_read(arena, words) : NULL;
  if (says && (says->kind == PL_TERM_BINARY || says->kind == PL_TERM_CHOICE) &&
      !says->is_closed && !use->is_closed && use != w->whole)
    return NULL;
  if (use == w->whole)
    w->whole = says;
  return says;
}

/* Names the macros that stand in some words, and in what these are defined as, by where
 * they are defined; *unsure: one may be something else. */
static void name_definitions(pl_seen *w, pl_str words, pl_text *key, const macro **unsure,
                             int depth) {
  for (pl_str rest = words; rest.n;) {
    pl_str word = pl_first_word(rest);
    const macro *m = &w->macros[name_of(w->d, word, false)];
    rest = (pl_str){rest.p + (word.n ? word.n : 1), rest.n - (word.n ? word.n : 1)};
    if (!m->met)
      continue;
    if (m->unsure)
      *unsure = m;
    pl_text_printf(key, " #%zu", m->by ? (size_t)(m->by - w->d->ops) : w->d->nops);
    if (m->by && m->by->kind == PL_STEP_DEFINE && depth < MOST_EXPANSIONS)
      name_definitions(w, m->by->body, key, unsure, depth + 1);
  }
}

/* What an answer that is not read any further is, by its text and what its macros are. */
static number opaque(pl_seen *w, pl_str says) {
  pl_text out = {.arena = w->arena};
  const macro *unsure = NULL;
  pl_text_add(&out, says);
  name_definitions(w, says, &out, &unsure, 0);
  if (unsure)
    return ask(w, unsure->because);
  pl_str key = pl_text_view(&out);
  const pl_said *said = said_of(w, key);
  return (number){.known = said, .value = said ? said->value : 0, .of = atom_of(w->d, key)};
}

/* The number that a name, or a macro's call, stands for. */
static number name_value(pl_seen *w, const pl_term *t) {
  number value;
  const macro *m = &w->macros[name_of(w->d, t->name, false)];
  if (pl_str_is(t->name, "__LINE__") || pl_str_is(t->name, "__COUNTER__"))
    return ask(w, PL_ASKS_NOTHING);
  if (!m->met && t->kind == PL_TERM_CALL)
    return opaque(w, t->text);
  if (!m->met) {
    given(w, t->name, &value);
    return value;
  }
  if (m->defined == PL_NO)
    return known(0);
  const pl_term *body = m->by ? expansion(w, m->by, t) : NULL;
  w->depth++;
  value = body ? value_of(w, body) : none;
  w->depth--;
  if (m->unsure)
    return ask(w, m->because);
  return body ? value : opaque(w, t->text);
}

/* False: it is not known here, as what is shifted is too large. */
static bool operate(pl_str op, int64_t a, int64_t b, int64_t *value) {
  bool shifts = a >= 0 && a <= INT32_MAX && b >= 0 && b < 32;
  switch (op.p[0]) {
  case '+': return !__builtin_add_overflow(a, b, value);
  case '-': return !__builtin_sub_overflow(a, b, value);
  case '*': return !__builtin_mul_overflow(a, b, value);
  case '/': *value = b > 0 ? a / b : 0; return b > 0;
  case '%': *value = b > 0 ? a % b : 0; return b > 0;
  case '|': *value = a | b; return true;
  case '&': *value = a & b; return true;
  case '^': *value = a ^ b; return true;
  case '<': *value = shifts ? a << b : 0; return shifts;
  case '>': *value = shifts ? a >> b : 0; return shifts;
  default: return false;
  }
}

/* Two numbers that hang on nothing, of which none is below zero where one has no sign. */
static bool are_plain(number a, number b) {
  bool wraps = (a.is_unsigned && b.value < 0) || (b.is_unsigned && a.value < 0);
  return a.known && b.known && a.of == PL_ASKS_NOTHING && b.of == PL_ASKS_NOTHING && !wraps;
}

/* Whether what a part of a condition says may have no sign, by the numbers in it. */
static bool has_unsigned(const pl_term *t) {
  bool has = t->kind == PL_TERM_NUMBER && t->is_unsigned;
  for (int i = 0; i < 3 && !has; i++)
    has = t->kids[i] && has_unsigned(t->kids[i]);
  return has;
}

static number operation(pl_seen *w, const pl_term *t) {
  bool unary = t->kind == PL_TERM_UNARY;
  number a = unary ? known(0) : value_of(w, t->kids[0]), b = value_of(w, t->kids[!unary]);
  bool both_known = are_plain(a, b);
  number is = {.known = true, .of = PL_ASKS_NOTHING, .is_unsigned = a.is_unsigned || b.is_unsigned};
  if (unary && pl_str_is(t->name, "~") && both_known && !is.is_unsigned)
    return known(~b.value);
  if (both_known && operate(t->name, a.value, b.value, &is.value) &&
      !(is.is_unsigned && is.value < 0))
    return is;
  return a.asked ? a : b.asked ? b : none;
}

static bool is_logical(const pl_term *t) {
  static const char *const ops[] = {"!", "&&", "||"};
  return t->kind == PL_TERM_DEFINED || ((t->kind == PL_TERM_UNARY || t->kind == PL_TERM_BINARY) &&
                                        (PL_STR_IS_ONE(t->name, ops) || pl_is_comparison(t->name)));
}

static number value_of(pl_seen *w, const pl_term *t) {
  if (is_logical(t)) {
    pl_answer holds = truth(w, t);
    return holds == PL_UNKNOWN ? (number){.asked = true, .of = PL_ASKS_NOTHING}
                               : known(holds == PL_YES);
  }
  switch (t->kind) {
  case PL_TERM_NUMBER: {
    number value = known(t->value);
    value.is_unsigned = t->is_unsigned;
    return value;
  }
  case PL_TERM_NAME:
  case PL_TERM_CALL:
    return name_value(w, t);
  case PL_TERM_UNARY:
  case PL_TERM_BINARY:
    return operation(w, t);
  case PL_TERM_CHOICE: {
    pl_answer which = truth(w, t->kids[0]);
    number value = {.asked = true, .of = PL_ASKS_NOTHING};
    if (which != PL_UNKNOWN)
      value = value_of(w, t->kids[which == PL_YES ? 1 : 2]);
    value.is_unsigned |= has_unsigned(t);
    return value;
  }
  default:
    return none;
  }
}

/* Whether a number compares so with another, as far as that is known. */
static pl_answer compared(pl_seen *w, const pl_term *t, pl_str op, number a, number b) {
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  static const char *const turned[] = {">", ">=", "<", "<=", "==", "!="};
  size_t which = 0;
  while (!pl_str_is(op, ops[which]))
    which++;
  pl_str same = {ops[which], strlen(ops[which])};
  if (a.asked || b.asked)
    return PL_UNKNOWN;
  if (are_plain(a, b))
    return compares(op, a.value, b.value) ? PL_YES : PL_NO;
  if (a.known && a.of == PL_ASKS_NOTHING && b.of != PL_ASKS_NOTHING)
    return compared(w, t, (pl_str){turned[which], strlen(turned[which])}, b, a);
  bool as_it_is = a.of != PL_ASKS_NOTHING && b.known && b.of == PL_ASKS_NOTHING;
  if (!as_it_is) {
    a = opaque(w, t->text);
    if (a.asked)
      return PL_UNKNOWN;
    b = known(0);
    same = PL_STR("!=");
  }
  w->d->learned |= compare_atom(&w->d->atoms[a.of], same, b.value) && a.known;
  if (a.known)
    return compares(same, a.value, b.value) ? PL_YES : PL_NO;
  ask(w, a.of);
  return PL_UNKNOWN;
}

static pl_answer negated(pl_answer a) { return a == PL_UNKNOWN ? a : a == PL_YES ? PL_NO : PL_YES; }

static pl_answer both(pl_answer a, pl_answer b) {
  return a == PL_NO || b == PL_NO ? PL_NO : a == PL_YES && b == PL_YES ? PL_YES : PL_UNKNOWN;
}

static pl_answer either(pl_answer a, pl_answer b) { return negated(both(negated(a), negated(b))); }

/* Whether a condition holds; `asked`: what it hangs on. */
static pl_answer truth(pl_seen *w, const pl_term *t) {
  if (t->kind == PL_TERM_DEFINED)
    return is_defined(w, t->name);
  if (t->kind == PL_TERM_UNARY && pl_str_is(t->name, "!"))
    return negated(truth(w, t->kids[0]));
  if (t->kind == PL_TERM_BINARY && (pl_str_is(t->name, "&&") || pl_str_is(t->name, "||"))) {
    bool is_and = pl_str_is(t->name, "&&");
    pl_answer left = truth(w, t->kids[0]);
    if (left == (is_and ? PL_NO : PL_YES))
      return left;
    pl_answer right = truth(w, t->kids[1]);
    return is_and ? both(left, right) : either(left, right);
  }
  if (t->kind == PL_TERM_BINARY && pl_is_comparison(t->name))
    return compared(w, t, t->name, value_of(w, t->kids[0]), value_of(w, t->kids[1]));
  return compared(w, t, PL_STR("!="), value_of(w, t), known(0));
}

typedef struct group {
  pl_answer outer, taken, live;
  size_t because, outer_because;
} group;

/* Comes upon a branch. */
static void branch(pl_seen *w, pl_step *o, group *g) {
  uint32_t at = (uint32_t)(o - w->d->ops);
  pl_answer holds = PL_YES;
  w->asked = PL_ASKS_NOTHING;
  w->in_braces = o->in_braces;
  w->defined[at] |= o->is_default && w->macros[o[1].name].met;
  if (o->term && g->outer != PL_NO && g->taken != PL_YES) {
    w->whole = o->read.negated ? NULL : o->term;
    holds = truth(w, o->term);
    holds = o->read.negated ? negated(holds) : holds;
    w->held[at] |= holds == PL_UNKNOWN ? PL_SEEN_OPEN : holds == PL_YES ? PL_SEEN_YES : PL_SEEN_NO;
    if (w->asks[at] == PL_ASKS_NOTHING)
      w->asks[at] = w->asked;
  }
  pl_answer here = both(negated(g->taken), holds);
  if (holds == PL_UNKNOWN)
    g->because = w->asked;
  if (g->outer != PL_NO)
    w->seen[at] |= here == PL_UNKNOWN ? PL_SEEN_OPEN : here == PL_YES ? PL_SEEN_YES : PL_SEEN_NO;
  g->taken = either(g->taken, holds);
  g->live = both(g->outer, here);
}

/* A name is defined, or not any more, by a directive that may not be seen. */
static void define(pl_seen *w, pl_step *o, pl_answer live, size_t because) {
  number value;
  macro *m = &w->macros[o->name];
  pl_answer defines = o->kind == PL_STEP_DEFINE ? PL_YES : PL_NO;
  macro now = {.met = true, .defined = defines, .by = o, .because = PL_ASKS_NOTHING};
  if (live != PL_YES) {
    pl_answer was = m->met ? m->defined : given(w, w->d->names[o->name], &value);
    now.defined = was == defines ? was : PL_UNKNOWN;
    now.unsure = true;
    now.because = because;
  }
  w->nsettled += m->unsure && !now.unsure;
  *m = now;
}

static void run(pl_seen *w, pl_step_text *t, pl_answer live, size_t because, int depth);

static void include(pl_seen *w, const pl_step_text *t, const pl_step *o, pl_answer live,
                    size_t because, int depth) {
  size_t header = o->header;
  const macro *m = &w->macros[o->name];
  if (o->name && m->met) {
    pl_str path = m->by ? pl_str_trimmed(m->by->body) : PL_STR("");
    path = path.n > 2 ? (pl_str){path.p + 1, path.n - 2} : PL_STR("");
    header = path.n ? included(w->d, t->unit, path) : 0;
    header = header ? header : o->header;
    live = m->unsure ? PL_UNKNOWN : live;
    because = m->unsure ? m->because : because;
  }
  w->is_endless |= header && (depth == PL_MOST_NESTED || w->nincluded == MOST_INCLUDED);
  if (header && live != PL_NO && !w->is_endless)
    run(w, &w->d->texts[header], live, because, depth + 1);
}

static void run(pl_seen *w, pl_step_text *t, pl_answer live, size_t because, int depth) {
  group groups[PL_MOST_NESTED];
  size_t n = 0, which = (size_t)(t - w->d->texts);
  bool is_read = w->within[which] || (live != PL_YES && w->read[which] == w->nsettled + 1);
  if (w->once[which] || (t->is_once && is_read))
    return;
  w->nincluded++;
  w->within[which] = true;
  for (uint32_t i = t->first; i < t->end; i++) {
    pl_step *o = &w->d->ops[i];
    group *g = n ? &groups[n - 1] : NULL;
    pl_answer here = g ? g->live : live;
    size_t why = g && g->because != PL_ASKS_NOTHING ? g->because : g ? g->outer_because : because;
    if (o->kind == PL_STEP_BRANCH && o->read.kind == PL_DIRECTIVE_IF) {
      w->is_endless |= n == PL_MOST_NESTED;
      if (w->is_endless)
        return;
      groups[n] = (group){here, PL_NO, here, PL_ASKS_NOTHING, why};
      branch(w, o, &groups[n++]);
    } else if (o->kind == PL_STEP_BRANCH && g) {
      branch(w, o, g);
    } else if (o->kind == PL_STEP_END) {
      n -= n > 0;
    } else if (here != PL_NO) {
      w->stops |= o->kind == PL_STEP_ERROR && here == PL_YES;
      w->once[t - w->d->texts] |= o->kind == PL_STEP_ONCE && here == PL_YES;
      if (o->kind == PL_STEP_DEFINE || o->kind == PL_STEP_UNDEF)
        define(w, o, here, why);
      if (o->kind == PL_STEP_POP)
        w->macros[o->name] =
            (macro){.met = true, .unsure = true, .defined = PL_UNKNOWN, .because = PL_ASKS_NOTHING};
      if (o->kind == PL_STEP_INCLUDE)
        include(w, t, o, here, why, depth);
    }
  }
  w->within[which] = false;
  w->read[which] = w->nsettled + 1;
}

pl_seen *pl_preprocess(pl_arena *arena, pl_directives *d, const pl_said *said, size_t nsaid,
                    bool is_here) {
  pl_seen *w = PL_NEW(arena, pl_seen);
  *w = (pl_seen){.arena = arena, .d = d, .said = said, .nsaid = nsaid, .is_here = is_here};
  w->macros = PL_NEW_ARRAY(arena, macro, d->nnames);
  w->once = PL_NEW_ARRAY(arena, bool, d->ntexts);
  w->within = PL_NEW_ARRAY(arena, bool, d->ntexts);
  w->read = PL_NEW_ARRAY(arena, size_t, d->ntexts);
  w->seen = PL_NEW_ARRAY(arena, unsigned char, d->nops + 1);
  w->held = PL_NEW_ARRAY(arena, unsigned char, d->nops + 1);
  w->defined = PL_NEW_ARRAY(arena, bool, d->nops + 1);
  w->asks = PL_NEW_ARRAY(arena, size_t, d->nops + 1);
  memset(w->asks, 0xff, (d->nops + 1) * sizeof *w->asks);
  for (size_t i = 1; i < d->ntexts; i++)
    if (!d->texts[i].is_included)
      run(w, &d->texts[i], PL_YES, PL_ASKS_NOTHING, 0);
  run(w, &d->texts[0], PL_YES, PL_ASKS_NOTHING, 0);
  return w;
}

pl_directives *pl_directives_read(pl_arena *arena, const pl_unit *unit) {
  pl_directives *d = PL_NEW(arena, pl_directives);
  *d = (pl_directives){.arena = arena, .unit = unit, .ntexts = unit->nown_headers + 1};
  size_t n = 0;
  d->nslots = 256;
  d->slots = PL_NEW_ARRAY(arena, uint32_t, d->nslots);
  PL_PUSH(arena, d->names, n, d->names_cap, PL_STR(""));
  d->nnames = 1;
  d->texts = PL_NEW_ARRAY(arena, pl_step_text, d->ntexts);
  for (size_t i = 0; i < d->ntexts; i++)
    read_text(d, &d->texts[i], i ? pl_header_unit(unit, i - 1) : unit);
  d->guards = PL_NEW_ARRAY(arena, bool, d->nnames + d->nops + 1);
  for (size_t i = 0; i < d->ntexts; i++)
    find_groups(d, &d->texts[i]);
  find_included(d);
  d->open = pl_preprocess(arena, d, NULL, 0, false);
  d->here = pl_preprocess(arena, d, NULL, 0, true);
  return d;
}

