/* emit_clone.c - the split forms of functions that fill a tile.
 *
 * Needs: the plan. A load helper `load(tile, ...)` gets, right behind it, a
 * `load_async` whose stores are asynchronous copies, or a pair: `load_fetch`
 * returns what it loaded, `load_store` puts it into the tile. */
#include "emit.h"

#include <string.h>

static pl_str between(const pl_emitter *e, uint32_t begin, uint32_t end) {
  return pl_unit_slice(e->unit, (pl_range){begin, end});
}

/* Where the definition names a function: a declaration may stand ahead of it. */
static pl_range name_of(const pl_func *func) {
  return func->name_range.end ? func->name_range : func->decl->name_range;
}

static uint32_t name_begin(const pl_func *func) { return name_of(func).begin; }

static uint32_t name_end(const pl_func *func) { return name_of(func).end; }

/* The last token of a spelling in a part of the file, NULL: none. */
static const pl_token *last_token(const pl_emitter *e, uint32_t begin,
                                  uint32_t end, const char *text) {
  pl_run run = pl_tokens_in(e->unit, (pl_range){begin, end});
  for (uint32_t i = run.end; i-- > run.first;)
    if (pl_token_is(e->unit, i, text))
      return &e->unit->tokens[i];
  return NULL;
}

/* The text in front of the name: template header, specifiers, return type. */
static pl_str head(pl_emitter *e, const pl_func *func, const char *returns,
                   bool takes_registers) {
  uint32_t begin = func->range.begin, end = name_begin(func);
  const pl_token *type = last_token(e, begin, end, "void");
  pl_text out = {.arena = e->arena};
  uint32_t at = begin;
  if (takes_registers && func->is_template) {
    const pl_token *close =
        last_token(e, begin, type ? type->range.begin : end, ">");
    if (close) {
      pl_text_add(&out, between(e, at, close->range.begin));
      pl_text_add(&out, PL_STR(", typename Registers"));
      at = close->range.begin;
    }
  } else if (takes_registers) {
    pl_text_add(&out, PL_STR("template <typename Registers>\n"));
  }
  if (type) {
    pl_text_add(&out, between(e, at, type->range.begin));
    pl_text_printf(&out, "%s", returns);
    at = type->range.end;
  }
  pl_text_add(&out, between(e, at, end));
  return pl_text_view(&out);
}

/* The ')' that closes a function's parameter list. */
static const pl_token *closing_parenthesis(const pl_emitter *e,
                                           const pl_func *func) {
  int depth = 0;
  for (uint32_t i = pl_token_from(e->unit, name_end(func)); i < e->unit->ntokens;
       i++) {
    depth += pl_token_is(e->unit, i, "(") ? 1 : 0;
    if (pl_token_is(e->unit, i, ")") && --depth == 0)
      return &e->unit->tokens[i];
  }
  return NULL;
}

/* What stands between the parameters and the body: `const`, `noexcept`. */
static pl_str qualifiers(pl_emitter *e, const pl_func *func, uint32_t from) {
  pl_str text = between(e, from, func->body->range.begin);
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

/* The parameters that a clone keeps, one by one. */
static pl_str kept_parameters(pl_emitter *e, const pl_func *func, pl_str extra,
                              const bool *drops) {
  pl_text out = {.arena = e->arena};
  uint32_t required = pl_required_params(e->unit, func);
  for (uint32_t i = 0; i <= func->nparams; i++) {
    bool added = i == required && extra.n;
    if (added)
      pl_text_printf(&out, "%s%.*s", out.n ? ", " : "", PL_FMT(extra));
    if (i == func->nparams || (drops && drops[i]))
      continue;
    pl_str text = pl_unit_slice(e->unit, func->params[i]->range);
    pl_text_printf(&out, "%s%.*s", out.n ? ", " : "", PL_FMT(text));
  }
  return pl_text_view(&out);
}

/* "(parameters) const", with one more if asked for: the last, but for those
 * that have default values. */
static pl_str parameters(pl_emitter *e, const pl_func *func, pl_str extra,
                         const bool *drops) {
  const pl_token *close = closing_parenthesis(e, func);
  uint32_t end = close ? close->range.begin : func->body->range.begin;
  uint32_t required = pl_required_params(e->unit, func);
  pl_str behind = qualifiers(e, func, close ? close->range.end : end);
  bool anew = extra.n && !func->nparams;
  for (uint32_t i = 0; drops && i < func->nparams; i++)
    anew = anew || drops[i];
  if (anew)
    return pl_arena_printf(e->arena, "(%.*s)%.*s",
                           PL_FMT(kept_parameters(e, func, extra, drops)),
                           PL_FMT(behind));
  bool last = required >= func->nparams;
  uint32_t at = last ? end : func->params[required]->range.begin;
  const char *comma = extra.n ? ", " : "";
  return pl_arena_printf(
      e->arena, "%.*s%s%.*s%s%.*s)%.*s", PL_FMT(between(e, name_end(func), at)),
      last ? comma : "", PL_FMT(extra), last ? "" : comma,
      PL_FMT(between(e, at, end)), PL_FMT(behind));
}

/* Whether a block's brace is the first on its line. */
static bool opens_own_line(const pl_emitter *e, const pl_node *block) {
  uint32_t at = block->range.begin;
  while (at && strchr(" \t", e->unit->text.p[at - 1]))
    at--;
  return !at || e->unit->text.p[at - 1] == '\n';
}

/* The split form of a lambda is one, too: it takes what it names as the lambda
 * does, and the registers as whatever the fetch gives. */
static void open_lambda(pl_emitter *e, const struct pl_clone *clone, pl_str name,
                        pl_str extra, const bool *drops) {
  const pl_func *func = clone->func;
  bool own_line = opens_own_line(e, func->body);
  if (!e->out.n)
    pl_text_add(&e->out, PL_STR("\n"));
  const pl_node *lambda = func->body->parent;
  bool copies = pl_str_starts(pl_unit_slice(e->unit, lambda->range), "[=]");
  pl_emit_line(e, 0, "%.*s%.*s = [%s](%.*s)%s",
               PL_FMT(between(e, func->range.begin, name_begin(func))),
               PL_FMT(name), copies ? "=" : "&", PL_FMT(kept_parameters(e, func, extra, drops)),
               own_line ? "" : " {");
  if (own_line)
    pl_emit_line(e, 0, "{");
}

static void close_clone(pl_emitter *e, const struct pl_clone *clone) {
  pl_emit_line(e, 0, clone->func->outer ? "};" : "}");
}

static void open_clone(pl_emitter *e, const struct pl_clone *clone,
                       const char *returns, pl_str name, pl_str extra,
                       const bool *drops) {
  const pl_func *func = clone->func;
  if (func->outer) {
    open_lambda(e, clone, name, extra, drops);
    return;
  }
  bool any_registers = pl_str_starts(extra, "const Registers ");
  pl_str text = pl_arena_printf(
      e->arena, "%.*s%.*s%.*s", PL_FMT(head(e, func, returns, any_registers)),
      PL_FMT(name), PL_FMT(parameters(e, func, extra, drops)));
  pl_text_add(&e->out, e->out.n ? PL_STR("\n") : PL_STR("\n\n"));
  bool own_line = opens_own_line(e, func->body);
  if (!own_line)
    text = pl_arena_printf(e->arena, "%.*s {", PL_FMT(text));
  pl_emit_moved(e, 0, text, e->base.n);
  if (own_line)
    pl_emit_line(e, 0, "{");
}

/* Puts the types that the function declares for itself, `using T = Traits;`, in
 * front of the text that was printed since `from` and names them. */
static void put_types_before(pl_emitter *e, const pl_func *func, size_t from) {
  for (uint32_t i = func->body->nkids; i-- > 0;) {
    const pl_node *stmt = func->body->kids[i];
    const pl_node *type = stmt->kind == PL_NODE_DECL_STMT && stmt->nkids
                              ? stmt->kids[0]
                              : NULL;
    pl_str view = pl_text_view(&e->out);
    pl_str text = pl_arena_str(e->arena, view.p + from, view.n - from);
    if (!type || type->kind != PL_NODE_OTHER_DECL || !type->name.n ||
        !pl_text_says(e->arena, text, type->name))
      continue;
    e->out.n = from;
    pl_emit_moved(e, 1, pl_unit_slice(e->unit, stmt->range),
                  pl_emit_indent_of(e->unit, stmt->range.begin).n);
    pl_text_add(&e->out, text);
  }
}

static void emit_body(pl_emitter *e, pl_fill_mode mode) {
  pl_emit_fill(e, 1, mode);
}

/* What the copies name comes as a parameter. */
static pl_str object_parameter(pl_emitter *e) {
  const pl_copy_words *words = e->form->words;
  if (!words->parameter)
    return PL_STR("");
  const pl_copy_values values = {.name = e->pipe};
  return pl_copy_text(e->arena, words->parameter, &values);
}

static void emit_async(pl_emitter *e, const struct pl_clone *clone) {
  e->form = clone->form;
  pl_choose_pipe(e);
  open_clone(e, clone, "void", clone->async_name, object_parameter(e), NULL);
  size_t from = e->out.n;
  pl_emit_asserts(e, 1, &clone->body->fill);
  emit_body(e, PL_FILL_ASYNC);
  put_types_before(e, clone->func, from);
  close_clone(e, clone);
}

/* The registers as a type of their own, where calls declare them. */
static void emit_named_registers(pl_emitter *e, const struct pl_clone *clone) {
  pl_text_add(&e->out, e->out.n ? PL_STR("\n") : PL_STR("\n\n"));
  pl_emit_line(e, 0, "struct %.*s {", PL_FMT(clone->registers_name));
  pl_emit_declare_registers(e, 1);
  pl_emit_line(e, 0, "};");
}

/* The declaration of the one register that a fetch gives, which is no array; empty: it gives
 * several. */
static pl_str only_register(pl_emitter *e) {
  const size_t from = e->out.n;
  pl_emit_declare_registers(e, 0);
  pl_str text = pl_text_view(&e->out);
  text = (pl_str){text.p + from, text.n - from};
  while (text.n && strchr("; \t\r\n", text.p[text.n - 1]))
    text.n--;
  text = pl_arena_str(e->arena, text.p, text.n);
  text = (pl_str){text.p + pl_blank_prefix(text), text.n - pl_blank_prefix(text)};
  e->out.n = from;
  return memchr(text.p, '\n', text.n) || memchr(text.p, '[', text.n) ? PL_STR("") : text;
}

/* Declares the register where the text that was printed since `from` sets it. False: it does so
 * under a guard, and a value that is none is better handed on in a record. */
static bool declare_register(pl_emitter *e, size_t from, pl_str declared, pl_str name) {
  pl_str view = pl_text_view(&e->out);
  pl_str body = pl_arena_str(e->arena, view.p + from, view.n - from);
  pl_str line = pl_arena_printf(e->arena, "%.*s%.*s%.*s = ", PL_FMT(e->base), PL_FMT(e->step),
                                PL_FMT(name));
  size_t at = 0;
  while (at < body.n && !pl_str_starts((pl_str){body.p + at, body.n - at}, line.p)) {
    const char *end = memchr(body.p + at, '\n', body.n - at);
    at = end ? (size_t)(end - body.p) + 1 : body.n;
  }
  if (at == body.n)
    return false;
  size_t n = at + line.n - name.n - strlen(" = ");
  e->out.n = from + n;
  pl_text_add(&e->out, (pl_str){declared.p, declared.n - name.n});
  pl_text_add(&e->out, (pl_str){body.p + n, body.n - n});
  return true;
}

/* A fetch that gives its one value itself, and a store that takes it; false, and nothing: the
 * value is not of all ways through. */
static bool emit_pair_of_one(pl_emitter *e, const struct pl_clone *clone) {
  const pl_str declared = only_register(e);
  const size_t begin = e->out.n;
  size_t n = declared.n;
  while (n && strchr(" *&", declared.p[n - 1]) == NULL)
    n--;
  pl_str name = {declared.p + n, declared.n - n};
  if (!n)
    return false;
  open_clone(e, clone, "auto", clone->fetch_name, PL_STR(""), clone->fetch_drops);
  size_t from = e->out.n;
  emit_body(e, PL_FILL_FETCH);
  if (!declare_register(e, from, declared, name)) {
    e->out.n = begin;
    return false;
  }
  pl_emit_line(e, 1, "return %.*s;", PL_FMT(name));
  put_types_before(e, clone->func, from);
  close_clone(e, clone);
  open_clone(e, clone, "void", clone->store_name, declared, clone->store_drops);
  from = e->out.n;
  emit_body(e, PL_FILL_STORE);
  put_types_before(e, clone->func, from);
  close_clone(e, clone);
  return true;
}

static void emit_pair(pl_emitter *e, const struct pl_clone *clone) {
  if (!clone->named && emit_pair_of_one(e, clone))
    return;
  pl_str next = pl_emit_name(e, "next", PL_STR(""));
  e->register_prefix = pl_arena_printf(e->arena, "%.*s.", PL_FMT(next)).p;
  pl_str type = clone->named ? clone->registers_name : PL_STR("auto");
  if (clone->named)
    emit_named_registers(e, clone);
  open_clone(e, clone, pl_arena_printf(e->arena, "%.*s", PL_FMT(type)).p,
             clone->fetch_name, PL_STR(""), clone->fetch_drops);
  size_t from = e->out.n;
  if (clone->named) {
    pl_emit_line(e, 1, "%.*s %.*s;", PL_FMT(type), PL_FMT(next));
  } else {
    pl_emit_line(e, 1, "struct {");
    pl_emit_declare_registers(e, 2);
    pl_emit_line(e, 1, "} %.*s;", PL_FMT(next));
  }
  emit_body(e, PL_FILL_FETCH);
  pl_emit_line(e, 1, "return %.*s;", PL_FMT(next));
  put_types_before(e, clone->func, from);
  close_clone(e, clone);
  pl_str registers = clone->named         ? clone->registers_name
                     : clone->func->outer ? PL_STR("auto")
                                          : PL_STR("Registers");
  open_clone(e, clone, "void", clone->store_name,
             pl_arena_printf(e->arena, "const %.*s &%.*s", PL_FMT(registers),
                             PL_FMT(next)),
             clone->store_drops);
  from = e->out.n;
  emit_body(e, PL_FILL_STORE);
  put_types_before(e, clone->func, from);
  close_clone(e, clone);
  e->register_prefix = "";
}

/* Where asynchronous copies alone are left of a lambda that the loop alone calls,
 * they take its place: nobody would use it. */
static bool takes_place(const struct pl_clone *clone) {
  const pl_func *func = clone->func;
  return func->outer && clone->async && !clone->staged &&
         pl_count_names(func->outer->body, func->decl) ==
             pl_count_names(clone->body->caller->node, func->decl);
}

static void add_clones(pl_emitter *e, const struct pl_clone *clone) {
  pl_range range = clone->func->range;
  pl_str text = pl_text_view(&e->out);
  text.n--;
  if (!takes_place(clone)) {
    pl_emit_add_edit(e, range.end, 0, text);
    return;
  }
  uint32_t head = 1 + (uint32_t)e->base.n;
  pl_emit_add_edit(e, range.begin, range.end - range.begin,
                   (pl_str){text.p + head, text.n - head});
}

/* The first of those that one text of the file is the pattern of. */
static struct pl_clone *first_of_text(pl_emitter *e, const struct pl_clone *of) {
  struct pl_clone *first = e->clones;
  while (pl_written_func(first->func) != pl_written_func(of->func))
    first++;
  return first;
}

static void note_clash(const struct pl_clone *clone) {
  pl_loop *loop = clone->body;
  while (loop->caller)
    loop = (pl_loop *)loop->caller;
  loop->clash = clone->func->name;
}

/* One text stands for the clones of all instantiations of a helper. */
static void agree_on_forms(pl_emitter *e) {
  for (size_t i = 0; i < e->nclones; i++) {
    struct pl_clone *clone = &e->clones[i], *first = first_of_text(e, clone);
    if (first->async && clone->async && first->form->words != clone->form->words)
      note_clash(clone);
    first->form = clone->async ? clone->form : first->form;
    first->async |= clone->async;
    first->staged |= clone->staged;
    first->named |= clone->named;
  }
  for (size_t i = 0; i < e->nclones; i++) {
    struct pl_clone *clone = &e->clones[i], *first = first_of_text(e, clone);
    clone->async = first->async;
    clone->form = first->form;
    clone->staged = first->staged;
    clone->named = first->named;
  }
}

/* The clones of other instantiations have the same text as the first. */
static void add_or_compare(pl_emitter *e, struct pl_clone *clone) {
  struct pl_clone *first = first_of_text(e, clone);
  clone->text = pl_text_view(&e->out);
  if (first == clone) {
    add_clones(e, clone);
  } else if (!pl_str_eq(first->text, clone->text)) {
    note_clash(first);
    note_clash(clone);
  }
}

void pl_emit_clones(pl_emitter *e) {
  const pl_str usual = e->step;
  agree_on_forms(e);
  for (size_t i = 0; i < e->nclones; i++) {
    struct pl_clone *clone = &e->clones[i];
    e->loop = clone->body;
    e->step = usual;
    e->nnames = 0; /* the kernels' own names are not in sight here */
    e->nregisters = e->nslots = 0;
    e->out = (pl_text){.arena = e->arena};
    e->base = pl_emit_indent_of(e->unit, clone->func->range.begin);
    e->step = pl_indent_step_in(e, clone->func);
    e->half = PL_STR("");
    if (clone->async)
      emit_async(e, clone);
    if (clone->staged)
      emit_pair(e, clone);
    add_or_compare(e, clone);
  }
}
