/* emit_names.c - what are things called?
 *
 * Needs: every identifier of the file, the functions of those that it includes
 * and what their macros say; the tiles' stages. Gives: new names that are not
 * taken, aliases that rebind a tile's name to one stage, and some stage's name
 * where no alias is in sight. Raises nothing. */
#include "emit.h"
#include "macros.h"

#include <string.h>

static void take_text(pl_emitter *e, pl_word_set *set, pl_str text) {
  while (text.n) {
    pl_str word = pl_first_word(text);
    if (word.n)
      pl_word_set_add(e->arena, set, word);
    text.p += word.n + !word.n;
    text.n -= word.n + !word.n;
  }
}

/* Of the file's macros, of those of its headers and of the command line: a macro may
 * be called so, or hold the word in its body. */
static void take_macros(pl_emitter *e) {
  const pl_unit *unit = e->unit;
  for (uint32_t i = 0; i < unit->ntokens; i++)
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
        !pl_str_is(pl_first_word(pl_directive_at(unit, i)), "include"))
      take_text(e, &e->in_macros, pl_token_text(unit, i));
  for (size_t i = 0; i < unit->nmacros; i++)
    pl_word_set_add(e->arena, &e->in_macros, unit->macros[i]);
  for (size_t i = 0; i < unit->nmacro_words; i++)
    pl_word_set_add(e->arena, &e->in_macros, unit->macro_words[i]);
  for (size_t i = 0; i < unit->nargs; i++)
    take_text(e, &e->in_macros, (pl_str){unit->args[i], strlen(unit->args[i])});
}

bool pl_is_macro_word(pl_emitter *e, pl_str name) {
  if (!e->in_macros.n)
    take_macros(e);
  return pl_word_set_has(&e->in_macros, name);
}

static void take_words(pl_emitter *e) {
  const pl_unit *unit = e->unit;
  for (uint32_t i = 0; i < unit->ntokens; i++)
    if (unit->tokens[i].kind == PL_TOK_IDENT)
      pl_word_set_add(e->arena, &e->taken, pl_token_text(unit, i));
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->name.n)
      pl_word_set_add(e->arena, &e->taken, unit->funcs[i]->name);
}

static bool name_is_taken(pl_emitter *e, pl_str name) {
  if (!e->taken.n)
    take_words(e);
  if (pl_word_set_has(&e->taken, name) || pl_is_macro_word(e, name))
    return true;
  for (size_t i = 0; i < e->nnames; i++)
    if (pl_str_eq(e->names[i], name))
      return true;
  return false;
}

pl_str pl_emit_name(pl_emitter *e, const char *fmt, pl_str base) {
  pl_str name = pl_arena_printf(e->arena, fmt, PL_FMT(base));
  for (int i = 2; name_is_taken(e, name); i++)
    name = pl_arena_printf(e->arena, "%s%d",
                           pl_arena_printf(e->arena, fmt, PL_FMT(base)).p, i);
  PL_PUSH(e->arena, e->names, e->nnames, e->names_cap, name);
  return name;
}

/* ---- words --------------------------------------------------------------- */

static bool is_member_name(pl_str text, const pl_token *tokens, uint32_t i) {
  pl_str before = i ? pl_token_in(text, &tokens[i - 1]) : PL_STR("");
  return pl_str_is(before, ".") || pl_str_is(before, "->") ||
         pl_str_is(before, "::");
}

/* A bracket that is open, or an assignment: where what follows stood, and by how much it
 * has moved. */
typedef struct followed {
  size_t column;
  long moved;
} followed;

#define MOST_OPEN 32

/* Text in which names are replaced, line by line: what is lined up with text that moves
 * goes with it. */
typedef struct lined_up {
  pl_text *out;
  followed open[MOST_OPEN]; /* the first is the statement's assignment */
  size_t n;
  size_t column; /* of the old text */
  long moved;    /* how much longer the line has become */
  size_t begin;  /* the column in which the line begins, and by how much it has moved */
  long begins;
} lined_up;

static void follow(lined_up *l, size_t width) {
  if (l->n < MOST_OPEN)
    l->open[l->n] = (followed){l->column + width, l->moved};
  l->n++;
}

/* The blanks that a line begins with. */
static void begin_line(lined_up *l, pl_str blanks) {
  const followed *with = l->n && l->n <= MOST_OPEN ? &l->open[l->n - 1] : NULL;
  bool tabs = memchr(blanks.p, '\t', blanks.n) != NULL;
  l->moved = !with || tabs                  ? 0
             : with->column == blanks.n     ? with->moved
             : blanks.n > l->begin          ? l->begins
                                            : 0;
  l->begin = blanks.n;
  l->begins = l->moved;
  l->column = blanks.n;
  long keep = (long)blanks.n + (l->moved < 0 ? l->moved : 0);
  pl_text_add(l->out, (pl_str){blanks.p, keep > 0 ? (size_t)keep : 0});
  for (long i = 0; i < l->moved; i++)
    pl_text_add(l->out, PL_STR(" "));
}

/* What stands between tokens. */
static void add_between(lined_up *l, pl_str text) {
  for (const char *end; (end = memchr(text.p, '\n', text.n));) {
    size_t n = (size_t)(end - text.p) + 1;
    pl_text_add(l->out, (pl_str){text.p, n});
    text = (pl_str){text.p + n, text.n - n};
    size_t blanks = pl_blank_prefix(text);
    begin_line(l, (pl_str){text.p, blanks});
    text = (pl_str){text.p + blanks, text.n - blanks};
  }
  pl_text_add(l->out, text);
  l->column += text.n;
}

/* A token, as `to`. */
static void add_token(lined_up *l, pl_str token, pl_str to) {
  pl_text_add(l->out, to);
  l->moved += (long)to.n - (long)token.n;
  if (pl_str_is(token, "(") || pl_str_is(token, "["))
    follow(l, 1);
  else if (pl_str_is(token, ")") || pl_str_is(token, "]"))
    l->n -= l->n > 0;
  else if (pl_str_is(token, ";") || pl_str_is(token, "{") || pl_str_is(token, "}"))
    l->n = 0;
  else if (l->n == 0 && token.p[token.n - 1] == '=')
    follow(l, token.n + 1);
  l->column += token.n;
}

void pl_name_since(pl_emitter *e, size_t from, const pl_decl *decl, pl_str to) {
  pl_str view = pl_text_view(&e->out);
  pl_str text = pl_arena_str(e->arena, view.p + from, view.n - from);
  uint32_t n = 0, at = 0;
  pl_token *tokens = pl_lex(e->arena, text, &n);
  e->out.n = from;
  lined_up l = {.out = &e->out};
  begin_line(&l, (pl_str){text.p, pl_blank_prefix(text)});
  at = (uint32_t)pl_blank_prefix(text);
  for (uint32_t i = 0; i < n; i++) {
    pl_range range = tokens[i].range;
    pl_str word = pl_token_in(text, &tokens[i]);
    bool names = tokens[i].kind == PL_TOK_IDENT && pl_str_eq(word, decl->name) &&
                 !is_member_name(text, tokens, i);
    add_between(&l, (pl_str){text.p + at, range.begin - at});
    add_token(&l, word, names ? to : word);
    at = range.end;
  }
  add_between(&l, (pl_str){text.p + at, text.n - at});
}

/* ---- aliases ------------------------------------------------------------- */

static bool side_names(const pl_loop *loop, const pl_decl *decl, bool load);

static bool side_names_derived(const pl_loop *loop, const pl_node *derived,
                               bool load) {
  for (uint32_t i = 0; i < derived->nkids; i++)
    if (side_names(loop, derived->kids[i]->decl, load))
      return true;
  return false;
}

/* Whether a side's text names a variable, or another that is made from it. */
static bool side_names(const pl_loop *loop, const pl_decl *decl, bool load) {
  for (size_t i = 0; i < loop->nderived; i++)
    if (pl_mentions(loop->derived[i], decl) &&
        side_names_derived(loop, loop->derived[i], load))
      return true;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    bool in = load ? stmt->in_load : stmt->in_compute;
    if (in && !stmt->is_shared_decl && pl_mentions(stmt->node, decl))
      return true;
  }
  return false;
}

static bool is_namesake(pl_node *node, const void *context) {
  const pl_decl *tile = context;
  return node->kind == PL_NODE_VAR && node->decl && node->decl != tile &&
         pl_str_eq(node->decl->name, tile->name);
}

bool pl_is_shadowed(const pl_emitter *e, const pl_decl *tile) {
  return pl_node_find(e->loop->body, is_namesake, tile);
}

/* How often a side's text names a variable. */
typedef struct naming {
  const pl_unit *unit;
  const pl_decl *decl;
  size_t n;
  bool hidden; /* in a text that is compared word for word (events_match.c), or by the
                  body of a macro */
} naming;

static bool count_name(pl_node *node, void *context) {
  naming *c = context;
  bool by_words = node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_SIZEOF ||
                  node->kind == PL_NODE_ASM || node->kind == PL_NODE_OTHER_DECL ||
                  node->kind == PL_NODE_UNKNOWN;
  bool names = node->kind == PL_NODE_REF && node->decl == c->decl;
  c->hidden |= by_words && pl_mentions(node, c->decl);
  c->hidden |= names && !pl_str_eq(pl_unit_slice(c->unit, node->range), c->decl->name);
  c->n += names;
  return true;
}

/* More names than that in a side's text get an alias. */
#define MOST_DIRECT 4

/* Whether a word of a range is an operand of a macro that may make text of it. */
static bool is_spelled(const pl_unit *unit, pl_range range, pl_str word) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_count_words(unit, pl_spelled_by(unit, i), word))
      return true;
  return false;
}

/* Whether each word of a node's text that is a variable's name is that variable, and
 * nothing but that. */
static bool says_only(const pl_emitter *e, naming *c, pl_node *node) {
  size_t before = c->n;
  pl_node_walk(node, count_name, c);
  size_t words = pl_count_words(e->unit, node->range, c->decl->name);
  return words == c->n - before &&
         !(words && is_spelled(e->unit, node->range, c->decl->name));
}

bool pl_is_seen_in_part(const pl_emitter *e) {
  const pl_unit *whole = e->unit->conditional ? e->unit->conditional : e->unit;
  return pl_has_conditional_text(whole, e->loop->node->range);
}

bool pl_is_direct(const pl_emitter *e, const pl_decl *decl, bool load) {
  const pl_loop *loop = e->loop;
  naming c = {.unit = e->unit, .decl = decl};
  if (pl_is_seen_in_part(e))
    return false;
  for (size_t i = 0; i < loop->nderived; i++)
    if (pl_mentions(loop->derived[i], decl))
      return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if ((load ? loop->stmts[i].in_load : loop->stmts[i].in_compute) &&
        !loop->stmts[i].is_shared_decl && !says_only(e, &c, loop->stmts[i].node))
      return false;
  return !c.hidden && c.n <= MOST_DIRECT &&
         (!loop->inc || says_only(e, &c, loop->inc));
}

/* The i-th tile of the loop, if a side names it by an alias, or without; else NULL. */
static const pl_staged_tile *named_tile(const pl_emitter *e, size_t i, bool load,
                                        bool direct) {
  const pl_decl *decl = e->loop->tiles[i].decl;
  if (pl_variant_most(e->loop->variant) == 1 || !side_names(e->loop, decl, load))
    return NULL;
  const pl_staged_tile *staged = pl_staged_tile_of(e, decl, e->loop->func);
  bool is_direct = !staged->dynamic && pl_is_direct(e, decl, load);
  return is_direct == direct ? staged : NULL;
}

static pl_str stage_text(const pl_emitter *e, const pl_staged_tile *staged,
                         const char *index) {
  return pl_arena_printf(e->arena, "%.*s[%s]%s", PL_FMT(staged->stage), index,
                         staged->padded ? ".tile" : "");
}

bool pl_has_aliases(const pl_emitter *e, bool load) {
  for (size_t i = 0; i < e->loop->ntiles; i++)
    if (named_tile(e, i, load, false))
      return true;
  return e->loop->nderived > 0 && pl_variant_most(e->loop->variant) > 1;
}

void pl_name_stages_since(pl_emitter *e, size_t from, bool load, const char *index) {
  for (size_t i = 0; i < e->loop->ntiles; i++) {
    const pl_staged_tile *staged = named_tile(e, i, load, true);
    if (staged)
      pl_name_since(e, from, staged->decl, stage_text(e, staged, index));
  }
}

void pl_emit_aliases(pl_emitter *e, int level, bool load, const char *index) {
  if (pl_variant_most(e->loop->variant) == 1)
    return;
  for (size_t i = 0; i < e->loop->ntiles; i++) {
    const pl_staged_tile *staged = named_tile(e, i, load, false);
    if (staged)
      pl_emit_line(e, level, "auto &%.*s = %.*s;", PL_FMT(staged->decl->name),
                   PL_FMT(stage_text(e, staged, index)));
  }
  for (size_t i = 0; i < e->loop->nderived; i++) {
    const pl_node *derived = e->loop->derived[i];
    if (side_names_derived(e->loop, derived, load))
      pl_emit_moved(e, level, pl_unit_slice(e->unit, derived->range),
                    pl_emit_indent_of(e->unit, derived->range.begin).n);
  }
}

/* ---- some stage ---------------------------------------------------------- */

/* Some stage of a tile, where only its type matters. */
pl_str pl_emit_tile_place(pl_emitter *e, const pl_decl *tile) {
  const pl_staged_tile *staged = pl_staged_tile_of(e, tile, e->loop->func);
  if (staged && pl_variant_most(e->loop->variant) != 1)
    return pl_arena_printf(e->arena, "%.*s[0]%s", PL_FMT(staged->stage),
                           staged->padded ? ".tile" : "");
  return tile->name;
}

void pl_name_stage_since(pl_emitter *e, size_t from, const pl_decl *tile) {
  pl_name_since(e, from, tile, pl_emit_tile_place(e, tile));
}

/* Whether a text names something of that name which it does not declare. */
static bool names_from_outside(const pl_node *node, const pl_node *text,
                               pl_str name) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_REF && node->decl &&
      pl_str_eq(node->decl->name, name) && !pl_declared_inside(node->decl, text))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (names_from_outside(node->kids[i], text, name))
      return true;
  return false;
}

bool pl_header_hides(const pl_loop *loop, const pl_node *node) {
  const pl_node *init = node->kind == PL_NODE_FOR ? node->kids[0] : NULL;
  bool hides = false;
  for (uint32_t k = 0; init && k < init->nkids; k++)
    for (size_t i = 0; init->kids[k]->decl && i < loop->nstmts; i++)
      hides = hides || (loop->stmts[i].in_load &&
                        names_from_outside(loop->stmts[i].node,
                                           loop->stmts[i].node,
                                           init->kids[k]->decl->name));
  return init && init->kind == PL_NODE_DECL_STMT && hides;
}
