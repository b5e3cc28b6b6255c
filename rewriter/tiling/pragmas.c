/* pragmas.c - what comments beside a loop or kernel ask for.
 *
 * Needs: candidates. Gives: each loop's own options; loops that are skipped are
 * settled as suppressed; when all is decided, a note for each comment that asks
 * for what it does not get. The words are `off`, `on`, `skip`, `require`,
 * `assume-no-alias`, `stages=N` and `variant=NAME`, after "// pipelinify:". A
 * comment above a loop speaks of that loop, one above a function of all its
 * loops; `off` and `on` of all that lies between them. "launch ..." and the
 * marker in rewritten text begin alike and are no pragmas. */
#include "loop.h"

#include <string.h>

#define PREFIX "// pipelinify:"

static pl_str next_word(pl_str *text) {
  while (text->n && strchr(" \t\r\n,", text->p[0])) {
    text->p++;
    text->n--;
  }
  pl_str word = {text->p, 0};
  while (word.n < text->n && !strchr(" \t\r\n,", text->p[word.n]))
    word.n++;
  text->p += word.n;
  text->n -= word.n;
  return word;
}

/* "// pipelinify: ldg, 2 stages, source 1a2b3c4d" above a rewritten loop. */
static bool is_marker(pl_str text) {
  return pl_str_starts(text, PREFIX) && pl_str_has(text, ", source ");
}

/* The words of a pragma comment; false for any other comment. */
static bool pragma_words(const pl_unit *unit, const pl_token *token,
                         pl_str *words) {
  if (token->kind != PL_TOK_COMMENT)
    return false;
  pl_str text = pl_unit_slice(unit, token->range);
  if (!pl_str_starts(text, PREFIX))
    return false;
  words->p = text.p + sizeof PREFIX - 1;
  words->n = text.n - (sizeof PREFIX - 1);
  pl_str rest = *words, first = next_word(&rest);
  return !pl_str_is(first, "launch") && !is_marker(text);
}

typedef enum word_kind {
  WORD_OFF, WORD_ON, WORD_SKIP, WORD_REQUIRE, WORD_NO_ALIAS, WORD_STAGES,
  WORD_VARIANT, WORD_UNKNOWN
} word_kind;

typedef struct word_row {
  const char *name;
  bool has_value;
} word_row;

static const word_row word_table[] = {
    {"off", false},     {"on", false},
    {"skip", false},    {"require", false},
    {"assume-no-alias", false}, {"stages", true},
    {"variant", true},
};

/* The name before `=`, and in `value` what follows; NULL: no `=`. */
static char *word_name(pl_arena *arena, pl_str word, char **value) {
  char *name = pl_arena_cstr(arena, word);
  *value = strchr(name, '=');
  if (*value)
    *(*value)++ = 0;
  return name;
}

static word_kind word_kind_of(const char *name, const char *value) {
  for (int i = 0; i < WORD_UNKNOWN; i++)
    if (strcmp(name, word_table[i].name) == 0 &&
        word_table[i].has_value == (value != NULL))
      return (word_kind)i;
  return WORD_UNKNOWN;
}

/* 2 to 8; 0 for anything else. */
static int stages_of(const char *value) {
  return value[0] >= '2' && value[0] <= '8' && !value[1] ? value[0] - '0' : 0;
}

/* What the command line says stays. */
static void apply_word(pl_loop *loop, pl_options *options, pl_str word) {
  char *value, *name = word_name(loop->arena, word, &value);
  pl_variant variant;
  switch (word_kind_of(name, value)) {
  case WORD_SKIP:
    if (!loop->settled)
      pl_loop_settle(loop, PL_VERDICT_SUPPRESSED, true, NULL, NULL,
                     "a comment says to skip it");
    break;
  case WORD_NO_ALIAS: options->assume_no_alias = true; break;
  case WORD_STAGES:
    if (!options->stages_fixed && stages_of(value))
      options->stages = stages_of(value);
    break;
  case WORD_VARIANT:
    if (!options->variant_fixed && pl_variant_parse(value, &variant))
      options->variant = variant;
    break;
  default: break;
  }
}

static void apply_words(pl_loop *loop, pl_options *options, pl_str words) {
  for (pl_str word = next_word(&words); word.n; word = next_word(&words))
    apply_word(loop, options, word);
}

static bool stands_between(const pl_token *token) {
  return token->kind == PL_TOK_COMMENT || token->kind == PL_TOK_DIRECTIVE;
}

/* The pragmas in the run of comments and directives right above `offset`. The
 * lowest one has the last word. */
static void apply_above(pl_loop *loop, pl_options *options, uint32_t offset) {
  const pl_unit *unit = loop->unit;
  uint32_t end = pl_token_from(unit, offset), begin = end;
  while (begin > 0 && stands_between(&unit->tokens[begin - 1]))
    begin--;
  for (pl_str words; begin < end; begin++)
    if (pragma_words(unit, &unit->tokens[begin], &words))
      apply_words(loop, options, words);
}

static bool has_word(const pl_unit *unit, pl_str words, word_kind kind) {
  for (pl_str word = next_word(&words); word.n; word = next_word(&words)) {
    char *value, *name = word_name(unit->arena, word, &value);
    if (word_kind_of(name, value) == kind)
      return true;
  }
  return false;
}

/* The next token from `from` on that says `off` or `on`; ntokens: none. */
static uint32_t next_switch(const pl_unit *unit, uint32_t from, bool *off) {
  for (from = pl_comment_from(unit, from); from < unit->ntokens;
       from = pl_comment_from(unit, from + 1)) {
    pl_str words;
    if (!pragma_words(unit, &unit->tokens[from], &words))
      continue;
    *off = has_word(unit, words, WORD_OFF);
    if (*off || has_word(unit, words, WORD_ON))
      break;
  }
  return from;
}

/* Whether the last `off` or `on` before `offset` is an `off`. */
static bool is_off(const pl_unit *unit, uint32_t offset) {
  bool off = false, next = false;
  uint32_t i = next_switch(unit, 0, &next);
  for (; i < unit->ntokens && unit->tokens[i].range.begin < offset;
       i = next_switch(unit, i + 1, &next))
    off = next;
  return off;
}

void pl_apply_pragmas(pl_loop *loop) {
  pl_options *options = PL_NEW(loop->arena, pl_options);
  *options = *loop->options;
  loop->filtered = loop->settled && loop->verdict == PL_VERDICT_SUPPRESSED;
  if (!loop->settled && is_off(loop->unit, loop->node->range.begin))
    pl_loop_settle(loop, PL_VERDICT_SUPPRESSED, true, NULL, NULL,
                   "pipelinify is off here");
  apply_above(loop, options, loop->func->range.begin);
  apply_above(loop, options, loop->node->range.begin);
  loop->options = options;
}

/* ---- what was asked for and not had ------------------------------------------- */

typedef struct checker {
  const pl_unit *unit;
  const pl_loops *loops;
  pl_pragma_list *out;
} checker;

static void complain(const checker *c, uint32_t token, bool unmet, pl_str why) {
  pl_pragma_report report = {.message = why.p, .unmet = unmet};
  pl_range range = pl_unit_place(c->unit, c->unit->tokens[token].range,
                                 &report.line, &report.column);
  report.begin = range.begin;
  report.end = range.end;
  PL_PUSH(c->unit->arena, c->out->items, c->out->n, c->out->cap, report);
}

/* Whether only comments and directives lie between the token and `offset`. */
static bool is_above(const checker *c, uint32_t token, uint32_t offset) {
  uint32_t end = pl_token_from(c->unit, offset);
  if (end <= token)
    return false;
  while (++token < end)
    if (!stands_between(&c->unit->tokens[token]))
      return false;
  return true;
}

static bool governs(const checker *c, uint32_t token, const pl_loop *loop) {
  return is_above(c, token, loop->node->range.begin) ||
         is_above(c, token, loop->func->range.begin);
}

/* Whether the loop below is a rewritten one: the comment has had its effect. */
static bool above_marker(const checker *c, uint32_t token) {
  const pl_unit *unit = c->unit;
  while (++token < unit->ntokens && stands_between(&unit->tokens[token]))
    if (is_marker(pl_unit_slice(unit, unit->tokens[token].range)))
      return true;
  return false;
}

static bool governs_any(const checker *c, uint32_t token) {
  if (above_marker(c, token))
    return true;
  for (size_t i = 0; i < c->loops->n; i++)
    if (governs(c, token, c->loops->items[i]))
      return true;
  return false;
}

/* Of a pragma's loops: the first that is a tile loop and not pipelined. One
 * that is no tile loop counts where the comment speaks of no other. */
static const pl_loop *unmet_loop(const checker *c, uint32_t token) {
  const pl_loop *no_tile_loop = NULL;
  bool met = false;
  for (size_t i = 0; i < c->loops->n; i++) {
    const pl_loop *loop = c->loops->items[i];
    if (!governs(c, token, loop))
      continue;
    bool good = loop->verdict == PL_VERDICT_PIPELINED || loop->filtered ||
                loop->verdict == PL_VERDICT_ALREADY_PIPELINED;
    met |= good;
    if (loop->verdict == PL_VERDICT_NOT_A_TILE_LOOP)
      no_tile_loop = loop;
    else if (!good)
      return loop;
  }
  return met ? NULL : no_tile_loop;
}

static void check_require(const checker *c, uint32_t token) {
  const pl_loop *loop = unmet_loop(c, token);
  unsigned line, column;
  if (!loop)
    return;
  pl_unit_place(c->unit, loop->node->range, &line, &column);
  complain(c, token, true,
           pl_arena_printf(c->unit->arena,
                           "'require' is not met: the loop at line %u is not "
                           "pipelined", line));
}

/* An `off` has a tile loop behind it, an `on` an `off` before it. */
static void check_switch(const checker *c, uint32_t token, word_kind kind) {
  const pl_unit *unit = c->unit;
  uint32_t begin = unit->tokens[token].range.begin, end = UINT32_MAX;
  bool off;
  if (kind == WORD_ON) {
    if (!is_off(unit, begin))
      complain(c, token, false, PL_STR("'on' has no 'off' before it"));
    return;
  }
  uint32_t next = next_switch(unit, token + 1, &off);
  if (next < unit->ntokens)
    end = unit->tokens[next].range.begin;
  for (size_t i = 0; i < c->loops->n; i++) {
    uint32_t at = c->loops->items[i]->node->range.begin;
    if (at > begin && at < end)
      return;
  }
  complain(c, token, false, PL_STR("'off' has no effect: no tile loop follows"));
}

/* Edits that turn one word into the other, swaps aside. */
static size_t distance(const char *a, const char *b) {
  size_t row[32], n = strlen(b);
  if (n >= 31)
    return n;
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      size_t best = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
    }
  }
  return row[n];
}

/* The nearest word of the table, NULL: none is near. */
static const word_row *nearest_word(const char *name) {
  const word_row *best = NULL;
  size_t least = strlen(name) / 3 + 2;
  for (int i = 0; i < WORD_UNKNOWN; i++)
    if (distance(name, word_table[i].name) < least) {
      least = distance(name, word_table[i].name);
      best = &word_table[i];
    }
  return best;
}

static void complain_unknown(const checker *c, uint32_t token, pl_str word,
                             const char *name) {
  const word_row *near = nearest_word(name);
  pl_str hint = PL_STR("the words are off, on, skip, require, assume-no-alias, "
                       "stages=N and variant=NAME");
  if (near)
    hint = pl_arena_printf(c->unit->arena, "did you mean '%s%s'?", near->name,
                           near->has_value ? "=..." : "");
  complain(c, token, false,
           pl_arena_printf(c->unit->arena, "unknown word '%.*s', ignored; %.*s",
                           PL_FMT(word), PL_FMT(hint)));
}

static void check_value(const checker *c, uint32_t token, pl_str word,
                        word_kind kind, const char *value) {
  pl_variant variant;
  const char *what = NULL;
  if (kind == WORD_STAGES && !stages_of(value))
    what = "stages are 2 to 8";
  if (kind == WORD_VARIANT && !pl_variant_parse(value, &variant))
    what = pl_arena_printf(c->unit->arena, "variants are %s", pl_variants_listed).p;
  if (what)
    complain(c, token, false,
             pl_arena_printf(c->unit->arena, "'%.*s' is ignored: %s",
                             PL_FMT(word), what));
  else if (!governs_any(c, token))
    complain(c, token, kind == WORD_REQUIRE,
             pl_arena_printf(c->unit->arena,
                             "'%.*s' has no effect: no loop with a barrier and "
                             "a shared array right below", PL_FMT(word)));
  else if (kind == WORD_REQUIRE)
    check_require(c, token);
}

static void check_word(const checker *c, uint32_t token, pl_str word) {
  char *value, *name = word_name(c->unit->arena, word, &value);
  word_kind kind = word_kind_of(name, value);
  if (kind == WORD_UNKNOWN)
    complain_unknown(c, token, word, name);
  else if (kind == WORD_OFF || kind == WORD_ON)
    check_switch(c, token, kind);
  else
    check_value(c, token, word, kind, value);
}

void pl_check_pragmas(const pl_unit *unit, const pl_loops *loops,
                      pl_pragma_list *out) {
  checker c = {unit, loops, out};
  for (size_t i = 0; i < unit->ncomments; i++) {
    uint32_t at = unit->comments[i];
    pl_str words;
    if (!pragma_words(unit, &unit->tokens[at], &words))
      continue;
    pl_str word = next_word(&words);
    if (!word.n)
      complain(&c, at, false, PL_STR("a comment that asks for nothing"));
    for (; word.n; word = next_word(&words))
      check_word(&c, at, word);
  }
}
