/* emit.c - which text?
 *
 * Needs: the plan. Gives: sorted edits that do not overlap. Raises nothing: a
 * loop that reaches this pass is emitted whole.
 *
 * The user's statements are moved verbatim under aliases that rebind the tiles'
 * names to one stage; only stores that are split or become asynchronous are
 * rewritten (emit_fill.c). New names are checked against every identifier of
 * the file, the functions of those that it includes and what their macros say.
 */
#include "emit.h"

#include <ctype.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------- */

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Whether a preprocessor line says `name`: a macro may be called so, or hold it
 * in its body. */
static bool has_word(pl_str text, pl_str name) {
  for (size_t i = 0; i + name.n <= text.n; i++)
    if (memcmp(text.p + i, name.p, name.n) == 0 &&
        (i == 0 || !is_word_char(text.p[i - 1])) &&
        (i + name.n == text.n || !is_word_char(text.p[i + name.n])))
      return true;
  return false;
}

static bool name_is_taken(const pl_emitter *e, pl_str name) {
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    pl_str text = pl_unit_slice(e->unit, token->range);
    if (token->kind == PL_TOK_IDENT && pl_str_eq(text, name))
      return true;
    if (token->kind == PL_TOK_DIRECTIVE && has_word(text, name))
      return true;
  }
  for (size_t i = 0; i < e->unit->nmacros; i++)
    if (pl_str_eq(e->unit->macros[i], name))
      return true;
  for (uint32_t i = 0; i < e->unit->nfuncs; i++)
    if (pl_str_eq(e->unit->funcs[i]->name, name))
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

/* ---- text ---------------------------------------------------------------------- */

void pl_emit_line(pl_emitter *e, int level, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str line = pl_arena_vprintf(e->arena, fmt, args);
  va_end(args);
  if (line.n) {
    pl_text_add(&e->out, e->base);
    for (int i = 0; i < level; i++)
      pl_text_add(&e->out, e->step);
  }
  pl_text_add(&e->out, line);
  pl_text_add(&e->out, PL_STR("\n"));
}

static size_t blank_prefix(pl_str line) {
  size_t n = 0;
  while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
    n++;
  return n;
}

/* The blanks in front of the first character of the line of `at`. */
pl_str pl_emit_indent_of(const pl_unit *unit, uint32_t at) {
  uint32_t begin = at;
  while (begin > 0 && unit->text.p[begin - 1] != '\n')
    begin--;
  pl_str line = {unit->text.p + begin, unit->text.n - begin};
  return (pl_str){line.p, blank_prefix(line)};
}

/* One line of moved text: the old indentation is taken off and the new put on;
 * a line that was indented less keeps no more than the new. */
static void add_moved_line(pl_emitter *e, int level, pl_str line, size_t old) {
  while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' ' ||
                    line.p[line.n - 1] == '\t'))
    line.n--;
  size_t blanks = blank_prefix(line);
  size_t cut = blanks < old ? blanks : old;
  line.p += cut;
  line.n -= cut;
  if (line.n)
    pl_emit_line(e, level, "%.*s", PL_FMT(line));
  else
    pl_text_add(&e->out, PL_STR("\n"));
}

void pl_emit_moved(pl_emitter *e, int level, pl_str text, size_t old) {
  size_t at = 0;
  while (at <= text.n) {
    size_t end = at;
    while (end < text.n && text.p[end] != '\n')
      end++;
    add_moved_line(e, level, (pl_str){text.p + at, end - at}, old);
    at = end + 1;
  }
}

static pl_str trim_lines(pl_str text) {
  size_t line = 0;
  if (!text.n)
    return text;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '\n')
      line = i + 1;
    else if (text.p[i] != ' ' && text.p[i] != '\t' && text.p[i] != '\r')
      break;
  }
  text.p += line;
  text.n -= line;
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

/* A statement with the comments that belong to it, at a new indentation. A
 * statement that shares its line with the one before keeps only itself. */
void pl_emit_chunk(pl_emitter *e, int level, pl_range chunk, uint32_t begin) {
  pl_str text = trim_lines(pl_unit_slice(e->unit, chunk));
  pl_str indent = pl_emit_indent_of(e->unit, begin);
  size_t lead = blank_prefix(text);
  if (lead == 0 && text.n) {
    pl_emit_moved(e, level, text, indent.n);
    return;
  }
  if (chunk.begin && e->unit->text.p + chunk.begin == text.p) {
    text.p += lead;
    text.n -= lead;
  }
  pl_emit_moved(e, level, text, indent.n);
}

static void emit_blank(pl_emitter *e) {
  pl_text_add(&e->out, PL_STR("\n"));
}

/* ---- aliases --------------------------------------------------------------------- */

static const pl_str *stage_name(pl_emitter *e, const pl_tile *tile) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (e->tiles[i].decl == tile->decl)
      return &e->tiles[i].stage;
  return NULL;
}

static bool is_padded(pl_emitter *e, const pl_tile *tile) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (e->tiles[i].decl == tile->decl)
      return e->tiles[i].padded;
  return false;
}

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

static void emit_aliases(pl_emitter *e, int level, bool load,
                         const char *index) {
  if (e->loop->variant == PL_VARIANT_LDG_SINGLE)
    return;
  for (size_t i = 0; i < e->loop->ntiles; i++) {
    const pl_tile *tile = &e->loop->tiles[i];
    if (!side_names(e->loop, tile->decl, load))
      continue;
    pl_emit_line(e, level, "auto &%.*s = %.*s[%s]%s;",
                 PL_FMT(tile->decl->name), PL_FMT(*stage_name(e, tile)), index,
                 is_padded(e, tile) ? ".tile" : "");
  }
  for (size_t i = 0; i < e->loop->nderived; i++) {
    const pl_node *derived = e->loop->derived[i];
    if (side_names_derived(e->loop, derived, load))
      pl_emit_moved(e, level, pl_unit_slice(e->unit, derived->range),
                    pl_emit_indent_of(e->unit, derived->range.begin).n);
  }
}

static const pl_cursor *cursor_of(const pl_emitter *e, const pl_decl *decl) {
  for (size_t i = 0; i < e->ncursors; i++)
    if (e->cursors[i].decl == decl)
      return &e->cursors[i];
  return NULL;
}

/* Some stage of a tile, where only its type matters. */
pl_str pl_emit_tile_place(pl_emitter *e, const pl_decl *tile) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (e->tiles[i].decl == tile &&
        e->loop->variant != PL_VARIANT_LDG_SINGLE)
      return pl_arena_printf(e->arena, "%.*s[0]%s", PL_FMT(e->tiles[i].stage),
                             e->tiles[i].padded ? ".tile" : "");
  return tile->name;
}

/* ---- slices ------------------------------------------------------------------------ */

/* The load side's statements as they stand: the prologue. */
void pl_emit_load(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->loop->nstmts; i++) {
    const pl_stmt *stmt = &e->loop->stmts[i];
    if (stmt->in_load && !stmt->is_shared_decl)
      pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
  }
}

/* Whether a step in the body moves a variable of which the load side has its
 * own copy, so that the compute side must move its own as well. */
static bool steps_cursor(const pl_emitter *e, size_t stmt) {
  for (size_t i = 0; i < e->loop->nrecurrences; i++)
    if (e->loop->recurrences[i].stmt == (int)stmt &&
        cursor_of(e, e->loop->recurrences[i].decl))
      return true;
  return false;
}

static bool in_compute_text(const pl_emitter *e, size_t i) {
  const pl_stmt *stmt = &e->loop->stmts[i];
  if (stmt->is_barrier)
    return e->keep_barrier[i];
  return !stmt->is_shared_decl && (stmt->in_compute || steps_cursor(e, i));
}

/* Comments between the last statement and the closing brace. */
static void emit_last_comments(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  const pl_stmt *last = &loop->stmts[loop->nstmts - 1];
  pl_range rest = {last->chunk.end, loop->body->range.end - 1};
  pl_str text = trim_lines(pl_unit_slice(e->unit, rest));
  size_t lead = blank_prefix(text);
  if (text.n > lead)
    pl_emit_moved(e, level, text, lead);
}

static void emit_compute(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (in_compute_text(e, i))
      pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
  }
  emit_last_comments(e, level);
}

/* Which barriers stay where they are: those inside compute, not the ones that
 * begin and end the load phase. */
static void choose_barriers(pl_emitter *e) {
  const pl_loop *loop = e->loop;
  e->keep_barrier = PL_NEW_ARRAY(e->arena, bool, loop->nstmts + 1);
  int n = loop->nbarriers;
  bool *busy = PL_NEW_ARRAY(e->arena, bool, n + 1);
  bool *drop = PL_NEW_ARRAY(e->arena, bool, n + 1);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (!loop->stmts[i].is_barrier && !loop->stmts[i].is_shared_decl &&
        !loop->stmts[i].is_advance && loop->stmts[i].in_compute)
      busy[loop->stmts[i].phase] = true;
  int phase = loop->load_phase;
  for (int k = 0; k < n; k++) {
    drop[(phase + k) % n] = true;
    if (busy[(phase + k + 1) % n])
      break;
  }
  for (int k = 1; k <= n; k++) {
    drop[(phase - k + n) % n] = true;
    if (busy[(phase - k + n) % n])
      break;
  }
  int at = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].is_barrier)
      e->keep_barrier[i] = !drop[at++];
}

/* One barrier hides a stage that is about to be filled or used; with one buffer
 * there are two. */
static void count_barriers(pl_emitter *e) {
  pl_loop *loop = e->loop;
  loop->barriers_after = loop->variant == PL_VARIANT_LDG_SINGLE ? 2 : 1;
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->barriers_after += loop->stmts[i].is_barrier && e->keep_barrier[i];
}

static pl_str barrier_text(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].is_barrier)
      return pl_unit_slice(loop->unit, loop->stmts[i].node->range);
  return PL_STR("__syncthreads();");
}

/* The first barrier behind the last fill, and the last one before the first
 * fill, around the end of the body; NULL: none is of the user's own. */
static const pl_stmt *barrier_beside_load(const pl_loop *loop, bool behind) {
  size_t first = loop->nstmts;
  for (size_t i = loop->nstmts; i-- > 0;)
    if (loop->stmts[i].fills)
      first = i;
  size_t at = behind ? pl_emit_last_fill(loop) : first;
  for (size_t k = 1; k <= loop->nstmts; k++) {
    size_t i = behind ? (at + k) % loop->nstmts
                      : (at + loop->nstmts - k) % loop->nstmts;
    if (loop->stmts[i].is_barrier)
      return &loop->stmts[i];
  }
  return NULL;
}

/* A barrier with the comments that the user gave the one it stands for. */
void pl_emit_barrier_of(pl_emitter *e, int level, bool behind_load) {
  const pl_stmt *stmt = barrier_beside_load(e->loop, behind_load);
  pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
}

static void emit_barrier(pl_emitter *e, int level) {
  pl_emit_line(e, level, "%.*s", PL_FMT(barrier_text(e->loop)));
}

/* ---- headers ------------------------------------------------------------------------ */

typedef struct rename_walk {
  pl_emitter *e;
  pl_range within;
  struct rename_ref {
    pl_range at;
    pl_str to;
  } * refs;
  size_t n, cap;
} rename_walk;

static bool collect_refs(pl_node *node, void *context) {
  rename_walk *w = context;
  if (node->kind != PL_NODE_REF || !node->decl)
    return true;
  const pl_cursor *cursor = cursor_of(w->e, node->decl);
  if (!cursor)
    return true;
  struct rename_ref ref = {node->range, cursor->name};
  PL_PUSH(w->e->arena, w->refs, w->n, w->cap, ref);
  return true;
}

/* The text of an expression with the cursors' names for the variables. */
static pl_str renamed(pl_emitter *e, pl_node *node) {
  rename_walk w = {.e = e, .within = node->range};
  pl_node_walk(node, collect_refs, &w);
  pl_text out = {.arena = e->arena};
  uint32_t at = node->range.begin;
  for (;;) {
    struct rename_ref *next = NULL;
    for (size_t i = 0; i < w.n; i++)
      if (w.refs[i].at.begin >= at &&
          (!next || w.refs[i].at.begin < next->at.begin))
        next = &w.refs[i];
    if (!next)
      break;
    pl_text_add(&out, pl_unit_slice(e->unit,
                                    (pl_range){at, next->at.begin}));
    pl_text_add(&out, next->to);
    at = next->at.end;
  }
  pl_text_add(&out, pl_unit_slice(e->unit, (pl_range){at, node->range.end}));
  return pl_text_view(&out);
}

static pl_str text_of(const pl_emitter *e, const pl_node *node) {
  pl_str text = node ? pl_unit_slice(e->unit, node->range) : PL_STR("");
  while (text.n && strchr("; \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

void pl_emit_init(pl_emitter *e, int level) {
  pl_str init = text_of(e, e->loop->init);
  if (init.n)
    pl_emit_line(e, level, "%.*s;", PL_FMT(init));
}

/* The header's step as a statement. */
static void emit_step(pl_emitter *e, int level) {
  pl_str step = text_of(e, e->loop->inc);
  if (step.n)
    pl_emit_line(e, level, "%.*s;", PL_FMT(step));
}

/* `for (; cond; inc)` or `while (cond)`, the user's own text. */
void pl_emit_header(pl_emitter *e, int level) {
  pl_range behind_brace = {e->loop->body->range.begin + 1,
                           e->loop->stmts[0].chunk.begin};
  pl_str comment = trim_lines(pl_unit_slice(e->unit, behind_brace));
  if (comment.n)
    pl_emit_moved(e, level, comment, blank_prefix(comment));
  if (e->pragma.n)
    pl_emit_line(e, level, "%.*s", PL_FMT(e->pragma));
  pl_str cond = text_of(e, e->loop->cond), step = text_of(e, e->loop->inc);
  const char *open = e->brace_own_line ? "" : " {";
  if (e->loop->node->kind == PL_NODE_WHILE || !step.n)
    pl_emit_line(e, level, "while (%.*s)%s", PL_FMT(cond), open);
  else
    pl_emit_line(e, level, "for (; %.*s; %.*s)%s", PL_FMT(cond), PL_FMT(step),
                 open);
  if (e->brace_own_line)
    pl_emit_line(e, level, "{");
}

void pl_emit_open(pl_emitter *e, int level, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str text = pl_arena_vprintf(e->arena, fmt, args);
  va_end(args);
  pl_emit_line(e, level, e->brace_own_line ? "%.*s" : "%.*s {", PL_FMT(text));
  if (e->brace_own_line)
    pl_emit_line(e, level, "{");
}

/* ---- cursors -------------------------------------------------------------------------- */

static bool named_by(const pl_node *node, const pl_decl *decl) {
  return node && pl_mentions(node, decl);
}

/* Copies of the recurrences that both sides move: for register staging the
 * compute side gets copies, for asynchronous copies the load side does. */
static void choose_cursors(pl_emitter *e, bool for_compute) {
  const pl_loop *loop = e->loop;
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_recurrence *r = &loop->recurrences[i];
    bool both = for_compute ? r->compute_needs
                            : r->compute_needs || named_by(loop->cond, r->decl) ||
                                  r->stmt < 0;
    if (!both)
      continue;
    pl_cursor cursor = {.decl = r->decl};
    cursor.name = pl_emit_name(e, for_compute ? "%.*s_tile" : "%.*s_load",
                               r->decl->name);
    PL_PUSH(e->arena, e->cursors, e->ncursors, e->cursors_cap, cursor);
  }
}

static void emit_cursor_copies(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->ncursors; i++)
    pl_emit_line(e, level, "auto %.*s = %.*s;", PL_FMT(e->cursors[i].name),
                 PL_FMT(e->cursors[i].decl->name));
}

static void emit_cursor_aliases(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->ncursors; i++)
    pl_emit_line(e, level, "auto &%.*s = %.*s;",
                 PL_FMT(e->cursors[i].decl->name), PL_FMT(e->cursors[i].name));
}

/* The header's step for the compute side's copies, inside their scope. */
static void emit_compute_step(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].stmt < 0 && cursor_of(e, loop->recurrences[i].decl))
      pl_emit_line(e, level, "%.*s;",
                   PL_FMT(text_of(e, loop->recurrences[i].step)));
}

/* ---- what has to come before and after ---------------------------------------------------- */

static bool has_jump(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_GOTO || node->kind == PL_NODE_LABEL)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (has_jump(node->kids[i]))
      return true;
  return false;
}

/* Whether a statement behind the loop keeps to the thread's own variables and
 * to global memory by the kernel's own pointers. */
static bool is_harmless(const pl_loop *loop, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t j = 0; j < effects.n; j++) {
    const pl_effect *effect = &effects.items[j];
    bool own = effect->space == PL_SPACE_LOCAL ||
               effect->space == PL_SPACE_CONSTANT ||
               (effect->space == PL_SPACE_GLOBAL && effect->root.decl &&
                !effect->root.member.n);
    bool plain = effect->kind == PL_EFFECT_READ ||
                 effect->kind == PL_EFFECT_WRITE ||
                 effect->kind == PL_EFFECT_ATOMIC;
    if (plain ? !own : effect->kind != PL_EFFECT_WARP)
      return false;
  }
  return true;
}

/* The last barrier may go where nothing that follows can tell: the kernel ends
 * with values of the thread's own. */
static bool needs_exit_barrier(const pl_loop *loop) {
  const pl_node *body = loop->func->body;
  if (!loop->barrier_last)
    return false;
  if (!loop->func->is_global || loop->nested || loop->node->parent != body ||
      has_jump(body))
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && !loop->stmts[i].fills &&
          effect->space != PL_SPACE_LOCAL)
        return true;
    }
  for (uint32_t i = 0; i < body->nkids; i++)
    if (body->kids[i] && body->kids[i]->range.begin >= loop->node->range.end &&
        !is_harmless(loop, body->kids[i]))
      return true;
  return false;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static uint32_t fnv(pl_str text) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] != '\r')
      hash = (hash ^ (unsigned char)text.p[i]) * 16777619u;
  return hash;
}

static void emit_marker(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_emit_line(e, level, "// pipelinify: %s, %d stage%s, source %08x%s",
               pl_variant_name(loop->variant), loop->stages,
               loop->stages == 1 ? "" : "s",
               fnv(pl_unit_slice(loop->unit, loop->node->range)),
               loop->measured ? loop->measured : "");
}

/* What a proof for the instantiations in sight rests on: a type that a
 * template decides must stay one that asynchronous copies can move. */
void pl_emit_asserts(pl_emitter *e, int level, const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++) {
    const pl_copy *copy = &fill->copies[i];
    bool said = !copy->load || !copy->type ||
                copy->type->kind != PL_TYPE_DEPENDENT;
    for (size_t k = 0; k < i && !said; k++)
      said = fill->copies[k].load && fill->copies[k].type &&
             pl_str_eq(fill->copies[k].type->written, copy->type->written);
    if (said)
      continue;
    pl_str type = copy->type->written;
    pl_emit_line(e, level,
                 "static_assert(__is_trivially_copyable(%.*s) && (sizeof(%.*s) "
                 "== 4 || sizeof(%.*s) == 8 || sizeof(%.*s) == 16),",
                 PL_FMT(type), PL_FMT(type), PL_FMT(type), PL_FMT(type));
    pl_emit_line(e, level, "              \"asynchronous copies move 4, 8 or "
                           "16 bytes\");");
  }
}

/* ---- objects that barriers are called on ---------------------------------------- */

typedef struct local_walk {
  const pl_node *loop;
  bool found;
} local_walk;

static bool find_loop_local(pl_node *node, void *context) {
  local_walk *w = context;
  w->found = w->found || (node->kind == PL_NODE_REF && node->decl &&
                          pl_declared_inside(node->decl, w->loop));
  return !w->found;
}

/* `cg::thread_block block = cg::this_thread_block();` in the loop's body: a
 * barrier names it, and its value is the same in every iteration. */
static bool is_barrier_object(const pl_loop *loop, const pl_stmt *stmt) {
  if (stmt->node->kind != PL_NODE_DECL_STMT || stmt->is_shared_decl ||
      stmt->node->nkids != 1 || !stmt->node->kids[0]->decl)
    return false;
  local_walk w = {.loop = loop->node};
  for (uint32_t i = 0; i < stmt->node->kids[0]->nkids; i++)
    if (stmt->node->kids[0]->kids[i])
      pl_node_walk(stmt->node->kids[0]->kids[i], find_loop_local, &w);
  for (size_t i = 0; i < loop->nstmts && !w.found; i++)
    if (loop->stmts[i].is_barrier &&
        pl_mentions(loop->stmts[i].node, stmt->node->kids[0]->decl))
      return true;
  return false;
}

/* They move in front of the loop: barriers stand outside the two sides. */
static void hoist_barrier_objects(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->loop->nstmts; i++) {
    pl_stmt *stmt = &e->loop->stmts[i];
    if (!is_barrier_object(e->loop, stmt))
      continue;
    pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
    stmt->in_load = stmt->in_compute = false;
  }
}

void pl_emit_hoisted(pl_emitter *e, int level) {
  hoist_barrier_objects(e, level);
  for (size_t i = 0; i < e->loop->nstmts; i++)
    if (e->loop->stmts[i].is_shared_decl)
      pl_emit_moved(e, level,
                    pl_emit_declaration(e, e->loop->stmts[i].node),
                    pl_emit_indent_of(e->unit,
                                      e->loop->stmts[i].node->range.begin)
                        .n);
}

/* Whether a side's text declares names, or needs some rebound. */
static bool needs_scope(pl_emitter *e, bool load) {
  const pl_loop *loop = e->loop;
  if (loop->variant != PL_VARIANT_LDG_SINGLE || (!load && e->ncursors))
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].node->kind == PL_NODE_DECL_STMT &&
        (load ? loop->stmts[i].in_load : loop->stmts[i].in_compute) &&
        !loop->stmts[i].is_shared_decl)
      return true;
  return false;
}

static int open_scope(pl_emitter *e, int level, bool load) {
  if (!needs_scope(e, load))
    return level;
  pl_emit_line(e, level, "{");
  return level + 1;
}

static void close_scope(pl_emitter *e, int level, bool load) {
  if (needs_scope(e, load))
    pl_emit_line(e, level, "}");
}

static void emit_compute_block(pl_emitter *e, int level, const char *stage,
                               bool step) {
  int inner = open_scope(e, level, false);
  emit_aliases(e, inner, false, stage);
  emit_cursor_aliases(e, inner);
  emit_compute(e, inner);
  if (step)
    emit_compute_step(e, inner);
  close_scope(e, level, false);
}

static void emit_trailing_steps(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  for (size_t i = pl_emit_last_fill(loop) + 1; i < loop->nstmts; i++)
    if (loop->stmts[i].in_load && loop->stmts[i].is_advance)
      pl_emit_chunk(e, level, loop->stmts[i].chunk,
                    loop->stmts[i].node->range.begin);
}

typedef struct shadow_walk {
  const pl_decl *tile;
  bool shadowed;
} shadow_walk;

static bool find_shadow(pl_node *node, void *context) {
  shadow_walk *w = context;
  if (node->kind == PL_NODE_VAR && node->decl && node->decl != w->tile)
    w->shadowed =
        w->shadowed || pl_str_eq(node->decl->name, w->tile->name);
  return !w->shadowed;
}

/* Whether the loop has another variable of a tile's name. */
static bool is_shadowed(pl_emitter *e, const pl_decl *tile) {
  shadow_walk w = {.tile = tile};
  pl_node_walk(e->loop->body, find_shadow, &w);
  return w.shadowed;
}

static bool is_member_name(pl_str text, const pl_token *tokens, uint32_t i) {
  pl_str before = i ? (pl_str){text.p + tokens[i - 1].range.begin,
                               tokens[i - 1].range.end -
                                   tokens[i - 1].range.begin}
                    : PL_STR("");
  return pl_str_is(before, ".") || pl_str_is(before, "->") ||
         pl_str_is(before, "::");
}

/* Puts some stage for a tile's name in the text printed since `from`. */
static void name_stage_since(pl_emitter *e, size_t from, const pl_decl *tile) {
  pl_str view = pl_text_view(&e->out);
  pl_str text = pl_arena_str(e->arena, view.p + from, view.n - from);
  uint32_t n = 0, at = 0;
  pl_token *tokens = pl_lex(e->arena, text, &n);
  e->out.n = from;
  for (uint32_t i = 0; i < n; i++) {
    pl_range range = tokens[i].range;
    pl_str word = {text.p + range.begin, range.end - range.begin};
    if (tokens[i].kind != PL_TOK_IDENT || !pl_str_eq(word, tile->name) ||
        is_member_name(text, tokens, i))
      continue;
    pl_text_add(&e->out, (pl_str){text.p + at, range.begin - at});
    pl_text_add(&e->out, pl_emit_tile_place(e, tile));
    at = range.end;
  }
  pl_text_add(&e->out, (pl_str){text.p + at, text.n - at});
}

/* The fetch stands outside the aliases: its registers outlive them. What it
 * says of a tile is a size or the distance of two places. */
static void emit_fetch(pl_emitter *e, int level) {
  size_t from = e->out.n;
  pl_emit_fill(e, level, PL_FILL_FETCH);
  for (size_t i = 0; i < e->loop->ntiles; i++)
    if (e->loop->variant == PL_VARIANT_LDG &&
        !is_shadowed(e, e->loop->tiles[i].decl))
      name_stage_since(e, from, e->loop->tiles[i].decl);
}

/* Register staging: prologue, main loop, epilogue; two buffers and one barrier
 * an iteration, or one buffer and two. */
static void emit_staged(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  bool single = loop->variant == PL_VARIANT_LDG_SINGLE;
  bool async = loop->variant == PL_VARIANT_CP_ASYNC;
  choose_cursors(e, true);
  pl_str stage = single ? PL_STR("") : pl_emit_name(e, "stage", PL_STR(""));
  char next[80];
  snprintf(next, sizeof next, "%.*s ^ 1", PL_FMT(stage));
  pl_emit_init(e, level);
  emit_cursor_copies(e, level);
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(text_of(e, loop->cond)));
  level++;
  if (loop->barrier_first)
    emit_barrier(e, level);
  pl_emit_line(e, level, "// Prologue: load the first tile.");
  int inner = open_scope(e, level, true);
  emit_aliases(e, inner, true, "0");
  if (async)
    pl_emit_fill(e, inner, PL_FILL_ASYNC);
  else
    pl_emit_load(e, inner);
  close_scope(e, level, true);
  emit_step(e, level);
  if (async) {
    pl_emit_line(e, level, "__pipeline_commit();");
    pl_emit_line(e, level, "__pipeline_wait_prior(0);");
  }
  pl_emit_barrier_of(e, level, true);
  emit_blank(e);
  pl_emit_line(e, level, async ? "// Main loop: copy the next tile while "
                                 "computing on this one."
                               : "// Main loop: fetch the next tile while "
                                 "computing on this one.");
  if (!single)
    pl_emit_line(e, level, "int %.*s = 0;", PL_FMT(stage));
  pl_emit_header(e, level);
  if (async) {
    pl_emit_line(e, level + 1, "{");
    emit_aliases(e, level + 2, true, next);
    pl_emit_fill(e, level + 2, PL_FILL_ASYNC);
    pl_emit_line(e, level + 1, "}");
    pl_emit_line(e, level + 1, "__pipeline_commit();");
  } else {
    emit_fetch(e, level + 1);
  }
  emit_compute_block(e, level + 1, stage.n ? stage.p : "", true);
  if (single)
    pl_emit_barrier_of(e, level + 1, false);
  else
    pl_emit_line(e, level + 1, "%.*s ^= 1;", PL_FMT(stage));
  if (async) {
    pl_emit_line(e, level + 1, "__pipeline_wait_prior(0);");
  } else {
    inner = open_scope(e, level + 1, true);
    emit_aliases(e, inner, true, stage.n ? stage.p : "");
    pl_emit_fill(e, inner, PL_FILL_STORE);
    close_scope(e, level + 1, true);
    emit_trailing_steps(e, level + 1);
  }
  pl_emit_barrier_of(e, level + 1, single);
  pl_emit_line(e, level, "}");
  emit_blank(e);
  pl_emit_line(e, level, "// Epilogue: compute on the last tile.");
  emit_compute_block(e, level, stage.n ? stage.p : "", false);
  if (needs_exit_barrier(loop))
    emit_barrier(e, level);
  pl_emit_line(e, level - 1, "}");
}

/* The rest of `if (more) {`: the copies into a stage; and their commit, which
 * is made whether there was more or not. */
static void emit_copy_ahead(pl_emitter *e, int level, pl_str stage) {
  emit_aliases(e, level + 1, true, stage.p);
  emit_cursor_aliases(e, level + 1);
  pl_emit_fill(e, level + 1, PL_FILL_ASYNC);
  emit_step(e, level + 1);
  pl_emit_line(e, level, "}");
  pl_emit_line(e, level, "__pipeline_commit();");
}

/* Asynchronous copies, three stages and more: the load side has its own cursor,
 * one commit an iteration whether it copied or not. */
static void emit_multistage(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  int stages = loop->stages;
  choose_cursors(e, false);
  pl_str stage = pl_emit_name(e, "stage", PL_STR(""));
  pl_str ahead = pl_emit_name(e, "load_stage", PL_STR(""));
  pl_emit_init(e, level);
  emit_cursor_copies(e, level);
  pl_str more = renamed(e, loop->cond);
  if (loop->barrier_first) {
    pl_emit_open(e, level, "if (%.*s)", PL_FMT(more));
    emit_barrier(e, level + 1);
    pl_emit_line(e, level, "}");
  }
  pl_emit_line(e, level, "// Prologue: start copying the first %d tiles.",
               stages - 1);
  pl_emit_open(e, level, "for (int %.*s = 0; %.*s < %d; ++%.*s)",
               PL_FMT(ahead), PL_FMT(ahead), stages - 1, PL_FMT(ahead));
  pl_emit_open(e, level + 1, "if (%.*s)", PL_FMT(more));
  emit_copy_ahead(e, level + 1, ahead);
  pl_emit_line(e, level, "}");
  emit_blank(e);
  pl_emit_line(e, level,
               "// Main loop: %d tiles are in flight while computing on one.",
               stages - 1);
  pl_emit_line(e, level, "int %.*s = 0;", PL_FMT(stage));
  pl_emit_header(e, level);
  pl_emit_line(e, level + 1, "__pipeline_wait_prior(%d);", stages - 2);
  pl_emit_barrier_of(e, level + 1, true);
  pl_emit_open(e, level + 1, "if (%.*s)", PL_FMT(more));
  pl_emit_line(e, level + 2, "int %.*s = %.*s == 0 ? %d : %.*s - 1;",
               PL_FMT(ahead), PL_FMT(stage), stages - 1, PL_FMT(stage));
  emit_copy_ahead(e, level + 1, ahead);
  pl_emit_line(e, level + 1, "{");
  emit_aliases(e, level + 2, false, stage.p);
  emit_compute(e, level + 2);
  pl_emit_line(e, level + 1, "}");
  pl_emit_line(e, level + 1, "%.*s = %.*s == %d ? 0 : %.*s + 1;",
               PL_FMT(stage), PL_FMT(stage), stages - 1, PL_FMT(stage));
  pl_emit_line(e, level, "}");
  emit_blank(e);
  pl_emit_line(e, level, "// Epilogue: every copy has landed.");
  pl_emit_line(e, level, "__pipeline_wait_prior(0);");
  if (needs_exit_barrier(loop))
    emit_barrier(e, level);
}

/* ---- style of the file ------------------------------------------------------------------------ */

static bool newline_between(const pl_unit *unit, uint32_t from, uint32_t to) {
  return from < to && memchr(unit->text.p + from, '\n', to - from) != NULL;
}

static uint32_t header_end(const pl_loop *loop) {
  const pl_node *last = loop->inc ? loop->inc : loop->cond;
  return last->range.end;
}

static pl_str indent_step(const pl_emitter *e) {
  pl_str outer = pl_emit_indent_of(e->unit, e->loop->node->range.begin);
  for (size_t i = 0; i < e->loop->nstmts; i++) {
    pl_str inner =
        pl_emit_indent_of(e->unit, e->loop->stmts[i].node->range.begin);
    if (inner.n > outer.n)
      return (pl_str){inner.p + outer.n, inner.n - outer.n};
  }
  return PL_STR("  ");
}

static bool token_is(const pl_emitter *e, uint32_t i, const char *word) {
  return pl_str_is(pl_unit_slice(e->unit, e->unit->tokens[i].range), word);
}

/* The first of the four tokens `_Pragma ( "unroll" )` right above an offset,
 * or the number of tokens. */
static uint32_t pragma_operator(const pl_emitter *e, uint32_t at) {
  uint32_t last[4], n = 0;
  for (uint32_t i = 0;
       i < e->unit->ntokens && e->unit->tokens[i].range.begin < at; i++)
    if (e->unit->tokens[i].kind != PL_TOK_COMMENT)
      last[n++ % 4] = i;
  if (n < 4 || !token_is(e, last[n % 4], "_Pragma") ||
      !token_is(e, last[(n + 3) % 4], ")"))
    return e->unit->ntokens;
  return last[n % 4];
}

/* `_Pragma("unroll")` above the loop, and what stands before its keyword. */
static bool with_pragma_operator(pl_emitter *e, uint32_t *begin) {
  uint32_t keyword = UINT32_MAX;
  for (uint32_t i = 0; i < e->unit->ntokens && keyword == UINT32_MAX; i++)
    if (e->unit->tokens[i].range.begin >= *begin &&
        (token_is(e, i, "for") || token_is(e, i, "while")))
      keyword = e->unit->tokens[i].range.begin;
  uint32_t first = pragma_operator(e, keyword);
  if (first == e->unit->ntokens)
    return false;
  pl_range text = {e->unit->tokens[first].range.begin, keyword};
  e->pragma = trim_lines(pl_unit_slice(e->unit, text));
  if (text.begin < *begin)
    *begin = text.begin;
  return true;
}

/* `#pragma unroll` right above the loop goes along with the main loop. */
static uint32_t with_pragma(pl_emitter *e) {
  uint32_t begin = e->loop->node->range.begin;
  if (with_pragma_operator(e, &begin))
    return begin;
  pl_str text = pl_unit_slice(e->unit, e->loop->node->range);
  if (text.n && text.p[0] == '#') {
    size_t end = 0;
    while (end < text.n && text.p[end] != '\n')
      end++;
    e->pragma = trim_lines((pl_str){text.p, end});
    return begin;
  }
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->range.begin >= begin)
      break;
    if (token->kind == PL_TOK_COMMENT)
      continue;
    pl_str word = pl_unit_slice(e->unit, token->range);
    bool last = i + 1 >= e->unit->ntokens ||
                e->unit->tokens[i + 1].range.begin >= begin;
    if (last && token->kind == PL_TOK_DIRECTIVE && pl_str_has(word, "pragma") &&
        pl_str_has(word, "unroll")) {
      e->pragma = trim_lines(word);
      return token->range.begin;
    }
  }
  return begin;
}

void pl_emit_add_edit(pl_emitter *e, uint32_t offset, uint32_t length,
                      pl_str text) {
  pl_edit edit = {offset, length, text.p, text.n};
  PL_PUSH(e->arena, e->edits, e->nedits, e->edits_cap, edit);
}

static void emit_pipelined(pl_emitter *e) {
  const pl_loop *loop = e->loop;
  emit_marker(e, 0);
  pl_emit_line(e, 0, "{");
  pl_emit_hoisted(e, 1);
  if (loop->variant == PL_VARIANT_CP_ASYNC)
    pl_emit_asserts(e, 1, &loop->fill);
  if (loop->variant == PL_VARIANT_CP_ASYNC && loop->stages > 2)
    emit_multistage(e, 1);
  else
    emit_staged(e, 1);
  pl_emit_line(e, 0, "}");
}

/* One loop: its text from the first column of its line is replaced. */
static void emit_loop(pl_emitter *e) {
  const pl_loop *loop = e->loop;
  uint32_t begin = with_pragma(e);
  pl_str column = pl_emit_indent_of(e->unit, begin);
  e->base = pl_emit_indent_of(e->unit, loop->cond->range.begin);
  e->step = indent_step(e);
  e->brace_own_line = newline_between(e->unit, header_end(loop),
                                      loop->body->range.begin + 1);
  e->out = (pl_text){.arena = e->arena};
  choose_barriers(e);
  count_barriers(e);
  if (loop->options->only != PL_SIDE_BOTH)
    pl_emit_one_side(e);
  else
    emit_pipelined(e);
  pl_str text = pl_text_view(&e->out);
  size_t have = column.n < e->base.n ? column.n : e->base.n;
  text.p += have;
  text.n -= have + 1;
  pl_emit_add_edit(e, begin, loop->node->range.end - begin, text);
}

/* ---- declarations ------------------------------------------------------------------------------- */

/* The name that a tile of the same name got in another function, so that each
 * kernel of a file has its As_stage. */
static pl_str reused_stage_name(const pl_emitter *e, const pl_decl *decl) {
  for (size_t i = 0; i < e->ntiles; i++) {
    const pl_staged_tile *tile = &e->tiles[i];
    if (!pl_str_eq(tile->decl->name, decl->name) ||
        tile->decl->owner == decl->owner)
      continue;
    bool taken = false;
    for (size_t k = 0; k < e->ntiles; k++)
      taken = taken || (e->tiles[k].decl->owner == decl->owner &&
                        pl_str_eq(e->tiles[k].stage, tile->stage));
    if (!taken)
      return tile->stage;
  }
  return (pl_str){0};
}

static void note_tile(pl_emitter *e, const pl_loop *loop,
                      const pl_tile *tile) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (e->tiles[i].decl == tile->decl) {
      if (e->tiles[i].stages < loop->stages)
        e->tiles[i].stages = loop->stages;
      return;
    }
  pl_staged_tile staged = {.decl = tile->decl, .stages = loop->stages};
  staged.stage = reused_stage_name(e, tile->decl);
  if (!staged.stage.n)
    staged.stage = pl_emit_name(e, "%.*s_stage", tile->decl->name);
  staged.align = tile->align > 0 && tile->decl->align_attr == 0 ? tile->align : 0;
  staged.padded = tile->align > 0 &&
                  (tile->bytes < 0 || tile->bytes % tile->align);
  staged.pad_align = tile->align;
  if (staged.padded)
    staged.record = pl_emit_name(e, "%.*s_padded", tile->decl->name);
  PL_PUSH(e->arena, e->tiles, e->ntiles, e->tiles_cap, staged);
}

static const pl_staged_tile *staged_tile(const pl_emitter *e,
                                         const pl_decl *decl) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (e->tiles[i].decl == decl)
      return &e->tiles[i];
  return NULL;
}

/* The words of a declaration before its name that belong to the type. */
static pl_str element_text(pl_emitter *e, const pl_decl *decl) {
  pl_text out = {.arena = e->arena};
  uint32_t begin = decl->node->parent->range.begin;
  int depth = 0;
  bool skipping = false;
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->range.begin < begin)
      continue;
    if (token->range.begin >= decl->name_range.begin)
      break;
    pl_str word = pl_unit_slice(e->unit, token->range);
    if (token->kind == PL_TOK_COMMENT || pl_str_is(word, "__shared__") ||
        pl_str_is(word, "static"))
      continue;
    if (pl_str_is(word, "__align__") || pl_str_is(word, "alignas")) {
      skipping = true;
      continue;
    }
    if (skipping) {
      depth += pl_str_is(word, "(") ? 1 : pl_str_is(word, ")") ? -1 : 0;
      skipping = depth > 0;
      continue;
    }
    if (out.n && token->kind != PL_TOK_PUNCT &&
        e->unit->text.p[token->range.begin - 1] == ' ')
      pl_text_add(&out, PL_STR(" "));
    pl_text_add(&out, word);
  }
  return pl_text_view(&out);
}

static pl_str padded_declaration(pl_emitter *e, const pl_staged_tile *tile) {
  const pl_decl *decl = tile->decl;
  pl_str type = element_text(e, decl);
  pl_str dims = pl_unit_slice(
      e->unit, (pl_range){decl->name_range.end, decl->range.end});
  pl_str indent = pl_emit_indent_of(e->unit, decl->node->parent->range.begin);
  return pl_arena_printf(
      e->arena,
      "struct __align__(%d) %.*s { %.*s tile%.*s; };\n%.*s__shared__ %.*s "
      "%.*s[%d];",
      (int)tile->pad_align, PL_FMT(tile->record), PL_FMT(type), PL_FMT(dims),
      PL_FMT(indent), PL_FMT(tile->record), PL_FMT(tile->stage), tile->stages);
}

/* The declaration statement of shared objects with the tiles' stages. */
pl_str pl_emit_declaration(pl_emitter *e, const pl_node *stmt) {
  const pl_staged_tile *first = staged_tile(e, stmt->kids[0]->decl);
  if (first && first->padded)
    return padded_declaration(e, first);
  pl_text out = {.arena = e->arena};
  uint32_t at = stmt->range.begin;
  for (uint32_t i = 0; i < stmt->nkids; i++) {
    const pl_decl *decl = stmt->kids[i]->decl;
    const pl_staged_tile *tile = staged_tile(e, decl);
    if (!tile)
      continue;
    pl_text_add(&out, pl_unit_slice(e->unit,
                                    (pl_range){at, decl->name_range.begin}));
    pl_text_printf(&out, "%.*s[%d]", PL_FMT(tile->stage), tile->stages);
    at = decl->name_range.end;
  }
  pl_text_add(&out, pl_unit_slice(e->unit, (pl_range){at, stmt->range.end}));
  pl_str text = pl_text_view(&out);
  if (!first || !first->align || !pl_str_starts(text, "__shared__"))
    return text;
  size_t word = sizeof "__shared__" - 1;
  return pl_arena_printf(e->arena, "__shared__ __align__(%d)%.*s",
                         (int)first->align, (int)(text.n - word),
                         text.p + word);
}

static bool hoisted_by_a_loop(const pl_loops *loops, const pl_node *stmt) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    for (size_t k = 0; !loop->settled && k < loop->nstmts; k++)
      if (loop->stmts[k].node == stmt)
        return true;
  }
  return false;
}

static void edit_declarations(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < e->ntiles; i++) {
    const pl_node *stmt = e->tiles[i].decl->node->parent;
    bool seen = hoisted_by_a_loop(loops, stmt);
    for (size_t k = 0; k < i; k++)
      seen = seen || e->tiles[k].decl->node->parent == stmt;
    if (!seen)
      pl_emit_add_edit(e, stmt->range.begin, stmt->range.end - stmt->range.begin,
               pl_emit_declaration(e, stmt));
  }
}

/* The blank line's worth of text that a deleted statement leaves: all of its
 * lines where it stands alone on them. */
static pl_range with_own_lines(const pl_unit *unit, pl_range range) {
  pl_range whole = range;
  while (whole.begin && strchr(" \t", unit->text.p[whole.begin - 1]))
    whole.begin--;
  while (whole.end < unit->text.n && strchr(" \t\r", unit->text.p[whole.end]))
    whole.end++;
  bool alone = (!whole.begin || unit->text.p[whole.begin - 1] == '\n') &&
               whole.end < unit->text.n && unit->text.p[whole.end] == '\n';
  whole.end++;
  return alone ? whole : range;
}

/* Names for places in a tile that are made anew inside the loops. */
static void delete_derived(pl_emitter *e, const pl_loop *loop) {
  for (size_t i = 0; i < loop->nderived; i++) {
    pl_range range = with_own_lines(e->unit, loop->derived[i]->range);
    pl_emit_add_edit(e, range.begin, range.end - range.begin, PL_STR(""));
  }
}

/* ---- tiles named for their type ------------------------------------------------------------------- */

typedef struct type_walk {
  pl_emitter *e;
  const pl_loops *loops;
} type_walk;

static bool is_emitted(const pl_loops *loops, const pl_node *node) {
  for (size_t i = 0; i < loops->n; i++)
    if (!loops->items[i]->settled && loops->items[i]->node == node)
      return true;
  return false;
}

static void name_a_stage(pl_emitter *e, const pl_staged_tile *tile,
                         const pl_node *ref) {
  for (size_t i = 0; i < e->nedits; i++)
    if (e->edits[i].offset == ref->range.begin && e->edits[i].length)
      return;
  pl_emit_add_edit(e, ref->range.begin, ref->range.end - ref->range.begin,
                   pl_arena_printf(e->arena, "%.*s[0]%s", PL_FMT(tile->stage),
                                   tile->padded ? ".tile" : ""));
}

/* `sizeof(As)` outside the loops that fill it: some stage has that type. */
static bool rename_types(pl_node *node, void *context) {
  type_walk *w = context;
  if (is_emitted(w->loops, node))
    return false;
  if (node->kind == PL_NODE_VAR && node->decl)
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], rename_types, w);
  const pl_staged_tile *tile =
      node->kind == PL_NODE_REF ? staged_tile(w->e, node->decl) : NULL;
  if (tile && pl_names_type(w->e->unit, node))
    name_a_stage(w->e, tile, node);
  return true;
}

static void edit_types(pl_emitter *e, const pl_loops *loops) {
  type_walk w = {e, loops};
  for (size_t i = 0; i < e->ntiles; i++) {
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen = seen || e->tiles[k].decl->owner == e->tiles[i].decl->owner;
    if (!seen)
      pl_node_walk(e->tiles[i].decl->owner->body, rename_types, &w);
  }
}

/* ---- the include ---------------------------------------------------------------------------------- */

static bool includes_pipeline(const pl_unit *unit) {
  for (uint32_t i = 0; i < unit->ntokens; i++)
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
        pl_str_has(pl_unit_slice(unit, unit->tokens[i].range),
                   "cuda_pipeline"))
      return true;
  return false;
}

static bool directive_is(pl_str text, const char *word) {
  size_t i = 1;
  while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
    i++;
  return pl_str_starts((pl_str){text.p + i, text.n - i}, word);
}

static uint32_t first_function(const pl_unit *unit) {
  uint32_t at = UINT32_MAX;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->in_main && unit->funcs[i]->range.begin < at)
      at = unit->funcs[i]->range.begin;
  return at;
}

/* After the last include outside any #if; else before the first token that is
 * no comment. */
static void add_include(pl_emitter *e) {
  if (includes_pipeline(e->unit))
    return;
  int depth = 0;
  const pl_token *last = NULL, *first = NULL;
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->kind != PL_TOK_COMMENT && !first)
      first = token;
    if (token->kind != PL_TOK_DIRECTIVE)
      continue;
    pl_str text = pl_unit_slice(e->unit, token->range);
    if (directive_is(text, "if"))
      depth++;
    else if (directive_is(text, "endif"))
      depth--;
    else if (depth == 0 && directive_is(text, "include") &&
             token->range.begin < first_function(e->unit))
      last = token;
  }
  if (!last) {
    pl_emit_add_edit(e, first ? first->range.begin : 0, 0,
             PL_STR("#include <cuda_pipeline.h>\n\n"));
    return;
  }
  uint32_t end = last->range.end;
  while (end > last->range.begin &&
         strchr("\r\n", e->unit->text.p[end - 1]))
    end--;
  pl_emit_add_edit(e, end, 0, PL_STR("\n#include <cuda_pipeline.h>"));
}

/* ---- line ends --------------------------------------------------------------------------------------- */

static bool uses_crlf(const pl_unit *unit) {
  const char *newline = memchr(unit->text.p, '\n', unit->text.n);
  return newline && newline > unit->text.p && newline[-1] == '\r';
}

static void give_crlf(pl_emitter *e) {
  for (size_t i = 0; i < e->nedits; i++) {
    pl_text out = {.arena = e->arena};
    pl_str text = {e->edits[i].text, e->edits[i].text_length};
    for (size_t k = 0; k < text.n; k++) {
      if (text.p[k] == '\n' && (k == 0 || text.p[k - 1] != '\r'))
        pl_text_add(&out, PL_STR("\r\n"));
      else
        pl_text_add(&out, (pl_str){text.p + k, 1});
    }
    e->edits[i].text = out.p ? out.p : "";
    e->edits[i].text_length = out.n;
  }
}

static void sort_edits(pl_emitter *e) {
  for (size_t i = 1; i < e->nedits; i++)
    for (size_t k = i; k > 0 && e->edits[k].offset < e->edits[k - 1].offset;
         k--) {
      pl_edit swap = e->edits[k];
      e->edits[k] = e->edits[k - 1];
      e->edits[k - 1] = swap;
    }
}

static bool is_staged(const pl_loop *loop) {
  return loop->variant != PL_VARIANT_LDG_SINGLE;
}

void pl_emit(pl_unit *unit, pl_loops *loops, pl_edit **edits, size_t *nedits) {
  pl_emitter e = {
      .unit = unit, .arena = unit->arena, .register_prefix = ""};
  bool async = false;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    for (size_t t = 0; !loop->settled && is_staged(loop) && t < loop->ntiles;
         t++)
      note_tile(&e, loop, &loop->tiles[t]);
    async = async ||
            (!loop->settled && loop->variant == PL_VARIANT_CP_ASYNC);
  }
  size_t shared_names = e.nnames;
  for (size_t i = 0; i < loops->n; i++) {
    if (loops->items[i]->settled)
      continue;
    e.loop = loops->items[i];
    e.nnames = shared_names;
    e.ncursors = 0;
    e.nregisters = e.nslots = 0;
    e.pragma = (pl_str){0};
    emit_loop(&e);
  }
  edit_declarations(&e, loops);
  for (size_t i = 0; i < loops->n; i++)
    if (!loops->items[i]->settled && is_staged(loops->items[i]))
      delete_derived(&e, loops->items[i]);
  edit_types(&e, loops);
  pl_emit_clones(&e);
  if (async)
    add_include(&e);
  if (uses_crlf(unit))
    give_crlf(&e);
  sort_edits(&e);
  *edits = e.edits;
  *nedits = e.nedits;
}
