/* expansions.c - a macro's body in the place of its use.
 *
 * Needs: an attempt in which some loop is refused because a macro's body holds a
 * part of its structure. Gives: the source with that use, and others of that macro
 * in the loop, replaced by what it stands for; where each byte of such a text is
 * from; the edits as those of the source. Raises nothing.
 *
 * One level of one macro is replaced at a time (macros.c). What stands in no edit is
 * left as the source has it. */
#include "expansions.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MACROS 8 /* of which each says the next one */

/* ---- which use ---------------------------------------------------------------- */

static uint32_t token_at(const pl_unit *unit, uint32_t offset) {
  uint32_t i = 0;
  while (i < unit->ntokens && unit->tokens[i].range.end <= offset)
    i++;
  return i;
}

/* The use of a macro that a loop is refused for: where the text that is shown
 * begins, or the first in it that makes structure. */
static bool find_use(const pl_loop *loop, uint32_t *token) {
  const pl_unit *unit = loop->unit;
  bool known = pl_is_refused_for(loop, "PL1003");
  bool hidden = known || pl_is_refused_for(loop, "PL4006");
  pl_range at = loop->macro_at.end ? loop->macro_at
                : loop->at.end     ? loop->at
                                   : loop->node->range;
  uint32_t first = token_at(unit, at.begin);
  for (uint32_t i = first; hidden && i < unit->ntokens &&
                           unit->tokens[i].range.begin < at.end;
       i++) {
    pl_macro m = {0};
    pl_macro_use u = {0};
    if (pl_macro_used(unit, i, &m, &u) &&
        ((known && i == first) || pl_macro_makes_statements(&m))) {
      *token = i;
      return true;
    }
  }
  return false;
}

/* Takes the first token out of a body, with the blanks behind it: what begins a line of
 * its own is indented as it is there. */
static void leave_out_first(pl_macro *m) {
  uint32_t end = m->tokens[1].range.begin, line = end;
  uint32_t less = end - m->tokens[0].range.begin;
  char *p = (char *)m->body.p;
  while (line > m->tokens[0].range.end && p[line - 1] != '\n')
    line--;
  if (line > m->tokens[0].range.end) {
    m->own_lines = true;
    less = line;
  } else {
    memmove(p + less, p, m->tokens[0].range.begin);
  }
  m->body = (pl_str){p + less, m->body.n - less};
  m->tokens++;
  m->ntokens--;
  for (uint32_t i = 0; i < m->ntokens; i++) {
    m->tokens[i].range.begin -= less;
    m->tokens[i].range.end -= less;
  }
}

static bool is_token(const pl_unit *unit, uint32_t i, const char *text) {
  return i < unit->ntokens && pl_token_is(unit, i, text);
}

static bool is_do_at(pl_node *node, const void *use) {
  return node->kind == PL_NODE_DO && node->from_macro &&
         node->range.begin == ((const pl_range *)use)->begin;
}

/* Whether the statements of the block in a use of `do { a = b; c = d; } while (0)` may stand
 * without it: none of them declares a name. */
static bool declares_nothing(const pl_unit *unit, pl_range use) {
  const pl_node *block = NULL;
  for (uint32_t i = 0; i < unit->nfuncs && !block; i++) {
    const pl_node *body = unit->funcs[i]->body;
    const pl_node *found = body && pl_range_inside(use, body->range)
                               ? pl_node_find(body, is_do_at, &use) : NULL;
    block = found ? found->kids[0] : NULL;
  }
  if (!block || block->kind != PL_NODE_COMPOUND)
    return false;
  for (uint32_t i = 0; i < block->nkids; i++)
    if (!block->kids[i] || block->kids[i]->kind == PL_NODE_DECL_STMT ||
        block->kids[i]->kind == PL_NODE_OTHER_DECL || block->kids[i]->kind == PL_NODE_UNKNOWN)
      return false;
  return true;
}

/* Whether what stands at a token is a statement of a block. */
static bool is_of_block(const pl_unit *unit, uint32_t first) {
  return first > 0 && (is_token(unit, first - 1, ";") || is_token(unit, first - 1, "{") ||
                       is_token(unit, first - 1, "}"));
}

/* `do { ... } while (0)` that nothing leaves, behind which a semicolon stands: it
 * is the block, without one, or what that holds where it is all of a block already or
 * needs none. */
static void unwrap(const pl_unit *unit, pl_macro *m, pl_macro_use *u) {
  static const char *const end[] = {"while", "(", "0", ")"};
  uint32_t n = m->ntokens, behind = token_at(unit, u->range.end);
  uint32_t first = token_at(unit, u->range.begin);
  if (n < 7 || !pl_macro_token_is(m, 0, "do") || pl_macro_has(m, "break") ||
      pl_macro_has(m, "continue") || behind >= unit->ntokens ||
      !pl_str_is(pl_unit_slice(unit, unit->tokens[behind].range), ";"))
    return;
  for (uint32_t i = 0; i < 4; i++)
    if (!pl_macro_token_is(m, n - 4 + i, end[i]))
      return;
  bool open = is_of_block(unit, first) && declares_nothing(unit, u->range);
  u->range.end = unit->tokens[behind].range.end;
  m->body.n = m->tokens[n - 5].range.end;
  m->ntokens = n - 4;
  leave_out_first(m);
  bool whole = first > 0 && is_token(unit, first - 1, "{") &&
               is_token(unit, behind + 1, "}");
  if (m->ntokens > 2 && (whole || open)) {
    m->body.n = m->tokens[m->ntokens - 2].range.end;
    m->ntokens--;
    leave_out_first(m);
  }
}

/* ---- other builds ------------------------------------------------------------- */

/* Whether all that the file defines a macro as is a number. */
static bool is_some_number(const pl_unit *unit, pl_arena *arena, pl_str word) {
  bool any = false, all = true;
  for (size_t i = 0; i < unit->ndefines && all; i++) {
    const pl_macro_line *line = &unit->defines[i];
    uint32_t n = 0;
    if (!line->defines || !pl_str_eq(line->name, word))
      continue;
    const pl_token *tokens = pl_lex(arena, line->body, &n);
    any = true;
    all = n == 1 && tokens[0].kind == PL_TOK_NUMBER;
  }
  return any && all;
}

static bool is_open_word(const pl_unit *unit, pl_arena *arena, pl_str word, int depth) {
  pl_macro m = {0};
  bool open = false;
  if ((!pl_macro_definitions(unit, word, UINT32_MAX) && !pl_macro_is_given(unit, word)) ||
      is_some_number(unit, arena, word))
    return false;
  if (!depth || !pl_macro_named(unit, word, UINT32_MAX, &m))
    return true;
  for (uint32_t i = 0; i < m.ntokens && !open; i++)
    open = m.tokens[i].kind == PL_TOK_IDENT &&
           !pl_str_eq(pl_token_in(m.body, &m.tokens[i]), word) &&
           is_open_word(unit, arena, pl_token_in(m.body, &m.tokens[i]), depth - 1);
  return open;
}

bool pl_is_open_macro(const pl_unit *unit, pl_arena *arena, uint32_t token) {
  return is_open_word(unit, arena, pl_token_text(unit, token), MOST_MACROS);
}

/* ---- where it is from -------------------------------------------------------- */

static pl_range origin_of(const pl_expanded *e, uint32_t offset) {
  return e->origins ? e->origins[offset] : (pl_range){offset, offset + 1};
}

/* A text that grows, and the places of the source that its bytes stand for. */
typedef struct builder {
  pl_arena *arena;
  pl_text text;
  pl_range *origins;
  size_t n, cap;
  unsigned char *made; /* pl_expanded's */
  size_t nmade, made_cap;
} builder;

static void add_as_it_is(builder *b, const pl_expanded *from, uint32_t begin,
                         uint32_t end) {
  pl_text_add(&b->text, (pl_str){from->text.p + begin, end - begin});
  for (uint32_t i = begin; i < end; i++) {
    PL_PUSH(b->arena, b->origins, b->n, b->cap, origin_of(from, i));
    PL_PUSH(b->arena, b->made, b->nmade, b->made_cap,
            from->made ? from->made[i] : PL_NOT_MADE);
  }
}

/* The line ends of the file. */
static pl_str with_line_ends(pl_arena *arena, pl_str file, pl_str text) {
  const char *newline = memchr(file.p, '\n', file.n);
  pl_text out = {.arena = arena};
  if (!newline || newline == file.p || newline[-1] != '\r')
    return text;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '\n' && (i == 0 || text.p[i - 1] != '\r'))
      pl_text_add(&out, PL_STR("\r"));
    pl_text_add(&out, (pl_str){text.p + i, 1});
  }
  return pl_text_view(&out);
}

static void add_instead(builder *b, const pl_expanded *from,
                        const pl_replacement *one, pl_made_kind kind) {
  pl_range range = one->range;
  pl_range origin = {origin_of(from, range.begin).begin,
                     origin_of(from, range.end - 1).end};
  unsigned char made = (unsigned char)kind;
  if (!kind && from->made)
    made = from->made[range.begin];
  pl_str text = with_line_ends(b->arena, from->source, one->text);
  pl_text_add(&b->text, text);
  for (size_t i = 0; i < text.n; i++) {
    PL_PUSH(b->arena, b->origins, b->n, b->cap, origin);
    PL_PUSH(b->arena, b->made, b->nmade, b->made_cap, made);
  }
}

/* What stands for the use of a macro at a token. */
static pl_replacement replace_use(const pl_attempt *a, uint32_t token) {
  pl_macro m = {0};
  pl_macro_use u = {0};
  pl_macro_used(a->unit, token, &m, &u);
  unwrap(a->unit, &m, &u);
  return (pl_replacement){u.range, pl_macro_text(a->unit, &m, &u)};
}

bool pl_declares_named(pl_node *node, const void *name) {
  return node->kind == PL_NODE_VAR && node->decl &&
         pl_str_eq(node->decl->name, *(const pl_str *)name);
}

pl_str pl_reindented(pl_arena *arena, pl_str text, pl_str from, pl_str to) {
  pl_text out = {.arena = arena};
  for (size_t i = 0; i < text.n; i++) {
    pl_text_add(&out, (pl_str){text.p + i, 1});
    if (text.p[i] != '\n' || text.n - i - 1 < from.n ||
        memcmp(text.p + i + 1, from.p, from.n))
      continue;
    pl_text_add(&out, to);
    i += from.n;
  }
  return pl_text_view(&out);
}

int pl_by_place(const void *x, const void *y) {
  const pl_replacement *a = x, *b = y;
  return (a->range.begin > b->range.begin) - (a->range.begin < b->range.begin);
}

bool pl_replaced_text(const pl_unit *unit, pl_arena *arena, pl_range range,
                      pl_replacements *parts, pl_str *text) {
  pl_text out = {.arena = arena};
  uint32_t at = range.begin;
  if (parts->n)
    qsort(parts->items, parts->n, sizeof *parts->items, pl_by_place);
  for (size_t i = 0; i < parts->n; i++) {
    pl_range one = parts->items[i].range;
    if (one.begin < at || one.end > range.end)
      return false;
    pl_text_add(&out, pl_unit_slice(unit, (pl_range){at, one.begin}));
    pl_text_add(&out, parts->items[i].text);
    at = one.end;
  }
  pl_text_add(&out, pl_unit_slice(unit, (pl_range){at, range.end}));
  *text = pl_text_view(&out);
  return true;
}

pl_str pl_name_not_taken(const pl_unit *unit, pl_arena *arena, pl_str base) {
  pl_range all = {0, (uint32_t)unit->text.n};
  pl_str name = base;
  for (int i = 2; pl_count_words(unit, all, name) && i < 99; i++)
    name = pl_arena_printf(arena, "%.*s%d", PL_FMT(base), i);
  return name;
}

void pl_put(pl_arena *arena, pl_replacements *out, pl_range range, pl_str text) {
  pl_replacement one = {range, text};
  PL_PUSH(arena, out->items, out->n, out->cap, one);
}

static void add_said(pl_arena *arena, pl_replacements *out, pl_said one) {
  pl_said *said = PL_NEW(arena, pl_said);
  *said = one;
  said->next = out->said;
  out->said = said;
}

void pl_put_saying(pl_arena *arena, pl_replacements *out, pl_replacement one, pl_str once,
                   pl_range also) {
  add_said(arena, out, (pl_said){one.text, once, also, NULL});
  pl_put(arena, out, one.range, one.text);
}

void pl_put_all(pl_arena *arena, pl_replacements *out, const pl_replacements *own) {
  for (size_t i = 0; i < own->n; i++)
    PL_PUSH(arena, out->items, out->n, out->cap, own->items[i]);
  for (const pl_said *said = own->said; said; said = said->next)
    add_said(arena, out, *said);
}

void pl_replace_with(pl_arena *arena, pl_replacements *out, pl_replacement one, pl_str said,
                     pl_range with) {
  pl_said_otherwise *otherwise = PL_NEW(arena, pl_said_otherwise);
  *otherwise = (pl_said_otherwise){one.range, said, with, out->otherwise};
  out->otherwise = otherwise;
  pl_put(arena, out, one.range, one.text);
}

/* ---- what is said there ------------------------------------------------------- */

/* A word by which another build may say more than this one sees, and how often it stands in
 * what is replaced. */
typedef struct open_word {
  pl_str text;
  size_t n;
} open_word;

typedef struct open_words {
  open_word *items;
  size_t n, cap;
} open_words;

static void count_word(pl_arena *arena, open_words *words, pl_str text) {
  size_t i = 0;
  while (i < words->n && !pl_str_eq(words->items[i].text, text))
    i++;
  if (i == words->n) {
    open_word one = {text, 0};
    PL_PUSH(arena, words->items, words->n, words->cap, one);
  }
  words->items[i].n++;
}

/* Takes what a text says from the words that it is to say. */
static void take_words(pl_arena *arena, open_words *words, pl_str text) {
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(arena, text, &n);
  for (uint32_t t = 0; t < n; t++)
    for (size_t i = 0; i < words->n; i++)
      if (words->items[i].n && pl_str_eq(pl_token_in(text, &tokens[t]), words->items[i].text))
        words->items[i].n--;
}

static void count_words(const pl_unit *unit, pl_arena *arena, pl_range range,
                        open_words *words) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t t = run.first; t < run.end; t++)
    if (unit->tokens[t].kind == PL_TOK_DIRECTIVE
            ? !pl_str_has(pl_token_text(unit, t), "pragma")
            : unit->tokens[t].kind == PL_TOK_IDENT && pl_is_open_macro(unit, arena, t))
      count_word(arena, words, pl_token_text(unit, t));
}

static const pl_said *asked_of(const pl_replacements *all, const pl_replacement *one) {
  const pl_said *said = all->said;
  while (said && said->text.p != one->text.p)
    said = said->next;
  return said;
}

/* Whether replacements, from one on, say all that stands in their places and no tree shows:
 * each use of a macro that may be other text in another build, and each directive. */
static bool say_all(const pl_unit *unit, pl_arena *arena, const pl_replacements *all,
                    size_t first) {
  open_words words = {0};
  for (size_t i = first; i < all->n; i++) {
    const pl_said *said = asked_of(all, &all->items[i]);
    count_words(unit, arena, all->items[i].range, &words);
    if (said && said->also.end)
      count_words(unit, arena, said->also, &words);
  }
  for (size_t i = first; words.n && i < all->n; i++) {
    const pl_said *said = asked_of(all, &all->items[i]);
    take_words(arena, &words, said ? said->once : all->items[i].text);
  }
  for (size_t i = 0; i < words.n; i++)
    if (words.items[i].n)
      return false;
  return true;
}

typedef struct hidden_name {
  const pl_loop *loop;
  pl_str name;
} hidden_name;

static bool means_outer(pl_node *node, const void *context) {
  const hidden_name *h = context;
  const pl_decl *decl = node->kind == PL_NODE_REF || pl_is_own_object(node, NULL) ? node->decl
                                                                                 : NULL;
  return decl && pl_str_eq(decl->name, h->name) &&
         !(decl->node && pl_node_within(decl->node, h->loop->node));
}

typedef struct macro_word {
  uint32_t begin; /* of a macro's use */
  pl_str name;
} macro_word;

static bool is_variable_there(pl_node *node, const void *context) {
  const macro_word *w = context;
  return node->from_macro && node->range.begin == w->begin && node->decl &&
         (node->kind == PL_NODE_REF || node->kind == PL_NODE_VAR) &&
         pl_str_eq(node->decl->name, w->name);
}

/* Whether a macro that the loop uses says a name, and means no variable by it. */
static bool is_said_by_macro(const pl_loop *loop, pl_str name) {
  pl_run run = pl_tokens_in(loop->unit, loop->node->range);
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    macro_word w = {token->range.begin, name};
    if (token->kind == PL_TOK_IDENT &&
        pl_macro_says(loop->unit, pl_token_text(loop->unit, i), name) &&
        !pl_node_find(loop->node, is_variable_there, &w))
      return true;
  }
  return false;
}

static bool hides_outer(pl_node *node, const void *loop) {
  static const char *const types[] = {"struct", "class", "union", "enum", "using", "typedef"};
  if (node->kind == PL_NODE_OTHER_DECL) {
    pl_str word = pl_first_word(pl_unit_slice(((const pl_loop *)loop)->unit, node->range));
    return !word.n || PL_STR_IS_ONE(word, types);
  }
  hidden_name h = {loop, node->decl ? node->decl->name : (pl_str){0}};
  pl_range where;
  return node->kind == PL_NODE_VAR && h.name.n &&
         (pl_node_find(h.loop->node, means_outer, &h) ||
          pl_find_other_word(loop, h.loop->node->range, h.name, &where) ||
          is_said_by_macro(loop, h.name));
}

bool pl_has_two_meanings(const pl_loop *loop) {
  return pl_node_find(loop->node, hides_outer, loop) != NULL;
}

typedef void form(pl_loop *loop, pl_arena *arena, pl_replacements *out);

/* Whether some replacements, from one on, touch others ahead of it: of two that overlap one is
 * left out, and a form is made with all of its parts or not at all. */
static bool touch_others(const pl_replacements *all, size_t first) {
  for (size_t i = first; i < all->n; i++)
    for (size_t k = 0; k < first; k++)
      if (all->items[i].range.begin < all->items[k].range.end &&
          all->items[k].range.begin < all->items[i].range.end)
        return true;
  return false;
}

/* Leaves out what a form has added where it touches another one, which comes first, or does
 * not say all that stands there. */
static void keep_if_whole(const pl_attempt *a, const pl_replacements *before,
                          pl_replacements *all) {
  if (touch_others(all, before->n) || !say_all(a->unit, a->arena, all, before->n))
    *all = *before;
}

static void add_form(const pl_attempt *a, form *adds, pl_loop *loop, pl_replacements *all) {
  pl_replacements before = *all;
  adds(loop, a->arena, all);
  keep_if_whole(a, &before, all);
}

/* What a variable of two uses is replaced by, of one loop a time. */
static void find_names_apart(const pl_attempt *a, pl_replacements *all) {
  for (size_t i = 0; !all->n && i < a->loops.n; i++)
    add_form(a, pl_names_apart, a->loops.items[i], all);
}

/* The forms that move parts of the loop's text, without the blocks around them. */
static void add_moved_forms(const pl_attempt *a, pl_loop *loop, pl_replacements *all) {
  static form *const moved[] = {
      pl_open_blocks,  pl_wait_at_end,    pl_with_one_buffer, pl_turn_loop,
      pl_turn_at_exit, pl_values_in_place, pl_load_handed_on,  pl_strip_mine};
  pl_replacements before = *all;
  for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
    add_form(a, moved[i], loop, all);
  if (all->n > before.n && pl_has_two_meanings(loop))
    *all = before;
}

/* All that is to be replaced for one text, but for names apart. */
static pl_replacements find_forms(const pl_attempt *a) {
  static form *const others[] = {pl_helpers_in_place, pl_zeros_as_else, pl_tiles_as_own};
  pl_replacements all = {0};
  uint32_t token;
  for (size_t i = 0; i < a->loops.n; i++)
    if (find_use(a->loops.items[i], &token))
      PL_PUSH(a->arena, all.items, all.n, all.cap, replace_use(a, token));
  for (size_t i = 0; i < a->loops.n; i++)
    add_form(a, pl_plainer_forms, a->loops.items[i], &all);
  for (size_t i = 0; i < a->loops.n; i++) {
    pl_loop *loop = a->loops.items[i];
    pl_replacements before = all;
    pl_copies_that_are_waited_for(a, loop, &all);
    keep_if_whole(a, &before, &all);
    add_moved_forms(a, loop, &all);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      add_form(a, others[k], loop, &all);
    before = all;
    pl_parts_apart(a, loop, &all);
    keep_if_whole(a, &before, &all);
    add_form(a, pl_record_as_objects, loop, &all);
  }
  return all;
}

/* Those of before, and those of the text, by their bytes of the source. */
static const pl_changed_loop *both_loops(const pl_attempt *a, const pl_expanded *from,
                                         const pl_changed_loop *all,
                                         const pl_changed_loop *more) {
  for (; more; more = more->next) {
    pl_changed_loop *one = PL_NEW(a->arena, pl_changed_loop);
    *one = (pl_changed_loop){pl_origin_of(from, more->range), all};
    all = one;
  }
  return all;
}

bool pl_waits_stay_together(const pl_attempt *a, const pl_expanded *of) {
  for (const pl_changed_loop *w = of->waited; w; w = w->next)
    for (size_t i = 0; i < a->loops.n; i++) {
      pl_range at = pl_origin_of(of, a->loops.items[i]->node->range);
      bool apart = at.end <= w->range.begin || w->range.end <= at.begin;
      if (a->loops.items[i]->verdict == PL_VERDICT_PIPELINED && !apart &&
          !pl_range_inside(w->range, at))
        return false;
    }
  return true;
}

/* Takes down what the source gets in the place of a replacement; false: nothing of its own. */
static bool is_otherwise(pl_arena *arena, const pl_expanded *from, const pl_replacement *one,
                         const pl_said_otherwise *said, const pl_made_otherwise **all) {
  while (said && said->range.begin != one->range.begin)
    said = said->next;
  if (!said)
    return false;
  pl_made_otherwise *made = PL_NEW(arena, pl_made_otherwise);
  *made = (pl_made_otherwise){pl_origin_of(from, one->range),
                              with_line_ends(arena, from->source, said->text),
                              pl_origin_of(from, said->with), *all};
  *all = made;
  return true;
}

/* The text with replacements, as far as they do not overlap. */
static bool put_in_place(const pl_attempt *a, const pl_expanded *from,
                         pl_replacements all, pl_made_kind kind, pl_expanded *to) {
  builder b = {.arena = a->arena, .text = {.arena = a->arena}};
  const pl_made_func *funcs = from->funcs;
  const pl_made_otherwise *otherwise = from->otherwise;
  uint32_t at = 0;
  if (all.n)
    qsort(all.items, all.n, sizeof *all.items, pl_by_place);
  for (size_t i = 0; i < all.n; i++) {
    const pl_replacement *one = &all.items[i];
    if (one->range.begin < at)
      continue;
    add_as_it_is(&b, from, at, one->range.begin);
    const pl_put_func *put = all.funcs;
    while (put && put->text.p != one->text.p)
      put = put->next;
    bool other = is_otherwise(a->arena, from, one, all.otherwise, &otherwise);
    add_instead(&b, from, one, put ? PL_MADE_FUNC : other ? PL_MADE_OTHERWISE : kind);
    if (put) {
      pl_made_func *func = PL_NEW(a->arena, pl_made_func);
      *func = (pl_made_func){put->name, funcs};
      funcs = func;
    }
    at = one->range.end;
  }
  add_as_it_is(&b, from, at, (uint32_t)from->text.n);
  if (all.renamed)
    all.renamed->next = from->renamed;
  *to = (pl_expanded){pl_text_view(&b.text), from->source, from->lines, b.origins,
                      b.made, funcs, otherwise,
                      both_loops(a, from, from->waited, all.waited),
                      both_loops(a, from, from->undone, all.undone), from->renames || all.renames,
                      all.renamed ? all.renamed : from->renamed,
                      from->for_async || all.for_async, from->padded};
  return all.n > 0;
}

bool pl_expand_macros(const pl_attempt *a, const pl_expanded *from,
                      pl_expanded *to) {
  if (!a->unit || !from->text.n)
    return false;
  pl_replacements all = find_forms(a);
  find_names_apart(a, &all);
  return put_in_place(a, from, all, PL_NOT_MADE, to);
}

bool pl_pad_rows(const pl_attempt *a, const pl_expanded *from, pl_expanded *to) {
  bool any = put_in_place(a, from, pl_row_padding(a), PL_MADE_TO_STAY, to);
  to->padded = from;
  return any;
}

/* ---- back to the source ------------------------------------------------------ */

/* Whether the text before and behind an offset stands for one place. */
static bool is_inside(const pl_expanded *e, uint32_t offset) {
  if (!e->origins || offset == 0 || offset >= e->text.n)
    return false;
  pl_range a = e->origins[offset - 1], b = e->origins[offset];
  return a.begin == b.begin && a.end == b.end;
}

/* Adds the text from `at` on to before `end`. */
static void add_text(pl_text *out, const pl_expanded *e, uint32_t at,
                     uint32_t end) {
  pl_text_add(out, (pl_str){e->text.p + at, end - at});
}

/* Adds edits from `i` on that touch one macro's use to `out`, with the text that
 * stands between them and for the rest of the use; `range`: what they replace. The
 * first edit behind them. */
static size_t join_edits(const pl_expanded *e, const pl_edit *edits, size_t n,
                         size_t i, pl_text *out, pl_range *range) {
  uint32_t at = edits[i].offset, end;
  while (is_inside(e, at))
    at--;
  range->begin = at;
  do {
    add_text(out, e, at, edits[i].offset);
    pl_text_add(out, (pl_str){edits[i].text, edits[i].text_length});
    at = end = edits[i].offset + edits[i].length;
    while (is_inside(e, end))
      end++;
  } while (++i < n && edits[i].offset < end);
  add_text(out, e, at, end);
  range->end = end;
  return i;
}

/* Whether some edit calls a function that a part of the text holds. */
static bool is_called(const pl_expanded *e, pl_str part, const pl_edit *edits,
                      size_t n) {
  for (const pl_made_func *f = e->funcs; f; f = f->next) {
    size_t at = 0;
    while (at + f->name.n <= part.n && memcmp(part.p + at, f->name.p, f->name.n))
      at++;
    for (size_t i = 0; at + f->name.n <= part.n && i < n; i++)
      for (size_t k = 0; k + f->name.n <= edits[i].text_length; k++)
        if (!memcmp(edits[i].text + k, f->name.p, f->name.n))
          return true;
  }
  return false;
}

static const pl_made_otherwise *otherwise_at(const pl_expanded *e, uint32_t offset) {
  const pl_made_otherwise *other = e->otherwise;
  while (other && other->source.begin != e->origins[offset].begin)
    other = other->next;
  return other;
}

/* Whether some edit stands where a part that is otherwise in the source asks for one. */
static bool is_asked_for(const pl_expanded *e, const pl_made_otherwise *other,
                         const pl_edit *edits, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (edits[i].offset < e->text.n &&
        pl_range_inside(e->origins[edits[i].offset], other->with))
      return true;
  return false;
}

/* Adds edits that leave as it is what was put into the text to stay, and functions which
 * the others call, where these do not touch it. */
static void keep_made(pl_arena *arena, const pl_expanded *e, pl_edit **edits,
                      size_t *nedits) {
  pl_edit *all = NULL;
  size_t n = 0, cap = 0, others = *nedits;
  for (size_t i = 0; i < others; i++)
    PL_PUSH(arena, all, n, cap, (*edits)[i]);
  for (uint32_t begin = 0, end; e->made && begin < e->text.n;
       begin = end > begin ? end : end + 1) {
    for (end = begin; end < e->text.n && e->made[end] && e->made[end] == e->made[begin] &&
                      (end == begin || is_inside(e, end)); end++)
      ;
    if (end == begin)
      continue;
    pl_str part = {e->text.p + begin, end - begin};
    bool touched = false;
    for (size_t i = 0; i < others; i++)
      touched = touched || ((*edits)[i].offset < end &&
                            (*edits)[i].offset + (*edits)[i].length > begin);
    bool stays = e->made[begin] == PL_MADE_TO_STAY;
    const pl_made_otherwise *other = NULL;
    if (others && e->made[begin] == PL_MADE_OTHERWISE)
      other = otherwise_at(e, begin);
    if (other && !is_asked_for(e, other, *edits, others))
      other = NULL;
    if (touched || !(stays || other || is_called(e, part, *edits, others)))
      continue;
    pl_edit keep = {begin, part.n, other ? other->text.p : part.p, other ? other->text.n : part.n};
    PL_PUSH(arena, all, n, cap, keep);
  }
  pl_sort_edits(all, n);
  *edits = all;
  *nedits = n;
}

/* Edits of an expanded text as those of the source: where one begins or ends within
 * what stands for a macro's use, all of that is replaced. */
void pl_edits_of_source(pl_arena *arena, const pl_expanded *e, pl_edit **of,
                        size_t *nof) {
  size_t n = 0;
  if (!e->origins)
    return;
  keep_made(arena, e, of, nof);
  pl_edit *edits = *of;
  for (size_t i = 0; i < *nof; n++) {
    pl_text out = {.arena = arena};
    pl_range range;
    i = join_edits(e, edits, *nof, i, &out, &range);
    range = pl_origin_of(e, range);
    pl_str text = pl_text_view(&out);
    edits[n] = (pl_edit){range.begin, range.end - range.begin, text.p, text.n};
  }
  *nof = n;
}
