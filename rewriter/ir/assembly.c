/* assembly.c - where is the text of inline assembly written, and what are its
 * instructions?
 *
 * Needs: the tokens of the file. Gives: the text of a statement, its own or that
 * of the macro of the file which makes it, how many outputs it names, and PTX
 * instruction by instruction. Raises nothing. */
#include "assembly.h"
#include "macros.h"

#include <ctype.h>
#include <string.h>

/* What stands behind a macro's parameters. */
static pl_str behind_parameters(pl_str body) {
  size_t at = 0;
  if (body.n && body.p[0] == '(')
    while (at < body.n && body.p[at++] != ')')
      ;
  return (pl_str){body.p + at, body.n - at};
}

/* The body of the one macro of that name; empty: there is none, or another
 * definition may be the one that holds. */
static pl_str macro_body(const pl_unit *unit, pl_str name) {
  pl_str found = {0};
  if (!name.n || name.p[0] == '_' || pl_macro_is_given(unit, name))
    return found;
  for (size_t i = 0; i < unit->ndefines; i++) {
    if (!pl_str_eq(unit->defines[i].name, name))
      continue;
    if (found.n)
      return (pl_str){0};
    found = behind_parameters(unit->defines[i].body);
  }
  return found;
}

static bool is_one_of(pl_str word, const char *a, const char *b) {
  return pl_str_is(word, a) || pl_str_is(word, b);
}

/* What may stand outside of the operands' parentheses: strings, and behind the
 * first colon what parts the operands and names them. */
static bool is_own(const pl_token *token, pl_str word, bool operands) {
  if (token->kind == PL_TOK_STRING || token->kind == PL_TOK_COMMENT ||
      is_one_of(word, ":", "::"))
    return true;
  return operands && (is_one_of(word, "(", ")") || pl_str_is(word, ","));
}

bool pl_asm_is_plain(const pl_unit *unit, pl_str body) {
  uint32_t n, i = 0;
  const pl_token *tokens = pl_lex(unit->arena, body, &n);
  int depth = 0;
  bool operands = false, ended = false;
  for (; i < n; i++) {
    pl_str word = {body.p + tokens[i].range.begin,
                   tokens[i].range.end - tokens[i].range.begin};
    if (i == 0 ? !is_one_of(word, "asm", "__asm__")
               : ended && !pl_str_is(word, ";"))
      return false;
    if (i == 0 || ended)
      continue;
    if (pl_str_starts(word, "#"))
      return false;
    if (depth == 0 && !pl_str_is(word, "(")) {
      if (!is_one_of(word, "volatile", "__volatile__"))
        return false;
      continue;
    }
    depth -= pl_str_is(word, ")");
    if (depth == 1 && !is_own(&tokens[i], word, operands))
      return false;
    operands |= depth == 1 && pl_str_starts(word, ":");
    depth += pl_str_is(word, "(");
    ended = depth == 0;
  }
  return ended;
}

pl_str pl_asm_source(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_unit_slice(unit, node->range);
  if (!node->range.end)
    return node->name;
  if (!node->from_macro)
    return text;
  for (const pl_node *up = node->parent; up; up = up->parent)
    if (up->kind == PL_NODE_ASM) /* an operand's own, of another macro */
      return (pl_str){0};
  pl_str body = macro_body(unit, pl_first_word(text));
  return body.n && pl_asm_is_plain(unit, body) ? body : (pl_str){0};
}

int64_t pl_asm_outputs(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_asm_source(unit, node);
  if (!text.n)
    return node->nkids;
  int64_t n = 0;
  for (size_t i = 0; i + 1 < text.n; i++)
    n += text.p[i] == '"' && (text.p[i + 1] == '=' || text.p[i + 1] == '+');
  return n;
}

/* ---- what it says ---------------------------------------------------------- */

/* What a string says: `\n` as a blank that ends a comment. */
static void add_string(pl_text *text, pl_str s) {
  bool raw = s.n > 0 && memchr(s.p, 'R', s.n) && s.p[0] != '"';
  size_t i = 0, end = s.n;
  while (i < end && s.p[i] != (raw ? '(' : '"'))
    i++;
  while (end > i + 1 && s.p[end - 1] != (raw ? ')' : '"'))
    end--;
  for (i++; i + 1 < end; i++) {
    char c = s.p[i];
    if (c == '\\' && !raw) {
      char next = s.p[++i];
      c = next == 'n' ? '\n' : next == 't' || next == 'r' ? ' ' : next;
    }
    pl_text_add(text, (pl_str){&c, 1});
  }
}

pl_str pl_assembly_text(const pl_unit *unit, const pl_node *node) {
  pl_text text = {.arena = unit->arena}, bare = {.arena = unit->arena};
  pl_text_add(&bare, PL_STR(" "));
  pl_str source = pl_asm_source(unit, node);
  uint32_t ntokens;
  const pl_token *tokens = pl_lex(unit->arena, source, &ntokens);
  for (uint32_t i = 0; i < ntokens; i++) {
    pl_str word = pl_token_in(source, &tokens[i]);
    if (pl_str_starts(word, ":"))
      break;
    if (tokens[i].kind == PL_TOK_STRING)
      add_string(&text, word);
  }
  pl_str s = pl_text_view(&text);
  for (size_t i = 0; i < s.n; i++) {
    bool line = s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '/';
    bool block = s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '*';
    while (line && i < s.n && s.p[i] != '\n')
      i++;
    for (i += block ? 3 : 0; block && i < s.n; i++)
      if (s.p[i - 1] == '*' && s.p[i] == '/')
        break;
    pl_text_add(&bare, line || block ? PL_STR(" ") : (pl_str){s.p + i, 1});
  }
  return pl_text_view(&bare);
}

/* ---- PTX --------------------------------------------------------------------- */

static bool is_blank(char c) { return c && strchr(" \t\r\n", c); }

/* A name; `%=` makes another one of each copy. */
static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || (c && strchr("_$%=", c));
}

static void pass_blanks(pl_ptx *p) {
  while (p->at < p->text.n && is_blank(p->text.p[p->at]))
    p->at++;
}

/* `L:`, but not `a::b`. */
static bool take_label(pl_ptx *p) {
  const pl_str text = p->text;
  size_t end = p->at, behind;
  while (end < text.n && is_of_name(text.p[end]))
    end++;
  for (behind = end; behind < text.n && is_blank(text.p[behind]);)
    behind++;
  if (end == p->at || behind == text.n || text.p[behind] != ':' ||
      (behind + 1 < text.n && text.p[behind + 1] == ':'))
    return false;
  p->label = (pl_str){text.p + p->at, end - p->at};
  p->at = behind + 1;
  return true;
}

static pl_str take_word(pl_str *rest) {
  size_t n = 0;
  while (n < rest->n && !is_blank(rest->p[n]))
    n++;
  pl_str word = {rest->p, n};
  *rest = pl_str_trimmed((pl_str){rest->p + n, rest->n - n});
  return word;
}

static void take_operands(pl_ptx *p, pl_str rest) {
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= rest.n; i++) {
    char c = i < rest.n ? rest.p[i] : ',';
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < rest.n))
      continue;
    pl_str one = pl_str_trimmed((pl_str){rest.p + begin, i - begin});
    if (one.n && p->noperands < PL_MOST_PTX_OPERANDS)
      p->operands[p->noperands++] = one;
    begin = i + 1;
  }
}

bool pl_ptx_next(pl_ptx *p) {
  *p = (pl_ptx){.text = p->text, .at = p->at, .depth = p->depth};
  for (pass_blanks(p); p->at < p->text.n && strchr("{};", p->text.p[p->at]); pass_blanks(p)) {
    char c = p->text.p[p->at++];
    p->depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
  if (p->at == p->text.n || take_label(p))
    return p->at < p->text.n || p->label.n;
  size_t end = p->at;
  while (end < p->text.n && p->text.p[end] != ';')
    end++;
  pl_str rest = pl_str_trimmed((pl_str){p->text.p + p->at, end - p->at});
  p->at = end + (end < p->text.n);
  if (rest.p[0] == '@') {
    pl_str word = take_word(&rest);
    p->negated = word.n > 1 && word.p[1] == '!';
    p->predicate = (pl_str){word.p + 1 + p->negated, word.n - 1 - p->negated};
  }
  p->opcode = take_word(&rest);
  take_operands(p, rest);
  return true;
}

pl_node *pl_ptx_operand(const pl_node *node, pl_str word) {
  word = pl_str_trimmed(word);
  uint32_t wanted = 0, k = 0;
  for (size_t i = 1; i < word.n; i++) {
    if (!isdigit((unsigned char)word.p[i]) || i > 3)
      return NULL;
    wanted = wanted * 10 + (uint32_t)(word.p[i] - '0');
  }
  for (uint32_t i = 0; word.n > 1 && word.p[0] == '%' && i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind != PL_NODE_STRING && k++ == wanted)
      return node->kids[i];
  return NULL;
}
