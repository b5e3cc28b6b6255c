/* branch_choices.c - which conditions choose for a loop from outside of it?
 *
 * Needs: the tokens of the file and of its headers, the loop. Gives: whether an #if is one
 * that another build of the file may decide otherwise, and the loop with it. Raises
 * nothing. */
#include "builds.h"
#include "branch_choices.h"
#include "macros.h"

#include <ctype.h>

/* The token of the #endif of the group that one begins. */
uint32_t pl_end_of_group(const pl_unit *unit, uint32_t at) {
  int depth = 0;
  for (uint32_t i = pl_directive_from(unit, at); i < unit->ntokens;
       i = pl_directive_from(unit, i + 1)) {
    pl_directive_kind kind = pl_directive_kind_of(pl_directive_at(unit, i));
    depth += (kind == PL_DIRECTIVE_IF) - (kind == PL_DIRECTIVE_ENDIF);
    if (depth == 0)
      return i;
  }
  return unit->ntokens;
}

static bool is_last_directive(const pl_unit *unit, uint32_t at) {
  return pl_directive_from(unit, at + 1) == unit->ntokens;
}

/* Whether the file defines a name whatever a build says: under no condition but
 * one around the whole file. */
static bool is_defined_in(const pl_unit *unit, pl_str name) {
  uint32_t first = pl_directive_from(unit, 0);
  int depth = 0;
  while (first < unit->ntokens && pl_is_pragma_once(pl_directive_at(unit, first)))
    first = pl_directive_from(unit, first + 1);
  bool guard = first < unit->ntokens &&
               pl_str_starts(pl_directive_word(pl_unit_slice(
                                 unit, unit->tokens[first].range)),
                             "ifndef") &&
               is_last_directive(unit, pl_end_of_group(unit, first));
  for (uint32_t i = first; i < unit->ntokens;
       i = pl_directive_from(unit, i + 1)) {
    pl_str word = pl_directive_at(unit, i);
    pl_directive_kind kind = pl_directive_kind_of(word);
    pl_macro_line line = pl_macro_of(word);
    depth += (kind == PL_DIRECTIVE_IF) - (kind == PL_DIRECTIVE_ENDIF);
    if (depth == (guard ? 1 : 0) && line.defines && pl_str_eq(line.name, name))
      return true;
  }
  return false;
}

/* Whether the file does, or a header of its own. */
static bool is_defined_here(const pl_unit *unit, pl_str name) {
  bool defined = is_defined_in(unit, name);
  for (size_t i = 0; i < unit->nown_headers && !defined; i++)
    defined = is_defined_in(pl_header_unit(unit, i), name);
  return defined;
}

/* What begins the names of compilers, platforms and standards, of which no build of the
 * file has another value than the one that is looked at, or none that is for CUDA. */
static const char *const own_names[] = {
    "__CUDA",    "__NV",      "__GNU",    "__GLIBC",  "__STDC",    "__cpp_",   "__has_",
    "__linux",   "__unix",    "__x86",    "__amd64",  "__aarch64", "__arm",    "__i386",
    "__ppc",     "__power",   "__APPLE",  "__MINGW",  "__CYGWIN",  "__INTEL",  "__ICC",
    "__PGI",     "__HIP",     "__HCC",    "__AMD",    "__ROCM",    "__SYCL",   "__OPENCL",
    "__METAL",   "__SIZEOF",  "__BYTE",   "__LP64",   "_LP64",     "__CHAR",   "__INT",
    "__LINE__",  "__FILE__",  "__COUNTER", "_MSC_",   "_WIN",      "_M_",      "__IBM",
};

bool pl_is_compilers_own(pl_str name) {
  bool own = false;
  for (size_t i = 0; i < sizeof own_names / sizeof *own_names && !own; i++)
    own = pl_str_starts(name, own_names[i]);
  return own && !pl_str_is(name, "__CUDACC_DEBUG__");
}

static bool says_given(const pl_unit *unit, pl_str name, int depth);

/* The same of what one text of the file's, or of its headers, defines it as. */
static bool says_given_in(const pl_unit *unit, const pl_unit *text, pl_str name, int depth) {
  for (size_t i = 0; i < text->ndefines; i++) {
    const pl_macro_line *line = &text->defines[i];
    pl_str rest = line->body, parameters = {rest.p, 0};
    if (!line->defines || !pl_str_eq(line->name, name))
      continue;
    while (rest.n && rest.p[0] == '(' && parameters.n < rest.n &&
           rest.p[parameters.n] != ')')
      parameters.n++;
    rest = (pl_str){rest.p + parameters.n, rest.n - parameters.n};
    while (rest.n) {
      pl_str word = pl_first_word(rest);
      if (word.n && !isdigit((unsigned char)word.p[0]) && !pl_str_is(word, "defined") &&
          !pl_is_compilers_own(word) && !pl_text_says(unit->arena, parameters, word) &&
          (!is_defined_here(unit, word) || (depth < 4 && says_given(unit, word, depth + 1))))
        return true;
      rest = (pl_str){rest.p + word.n + !word.n, rest.n - word.n - !word.n};
    }
  }
  return false;
}

/* Whether what the file, or a header of its own, defines a name as says another name,
 * which a command may give: `#define IS(x) (MODE == x)`. */
static bool says_given(const pl_unit *unit, pl_str name, int depth) {
  bool says = says_given_in(unit, unit, name, depth);
  for (size_t i = 0; i < unit->nown_headers && !says; i++)
    says = says_given_in(unit, pl_header_unit(unit, i), name, depth);
  return says;
}

/* Whether a condition asks for nothing but names that a command gives, by `-D`, `-std`,
 * `-G`, or as another compiler than the one that looks, `__clang__`: not for others of
 * the compiler's own, and some that the file, or a header of its own, defines itself. */
static bool asks_for_given(const pl_unit *unit, pl_str condition) {
  bool any = false;
  for (size_t i = 0; i < condition.n; i++) {
    size_t begin = i;
    while (i < condition.n && (isalnum((unsigned char)condition.p[i]) ||
                               condition.p[i] == '_'))
      i++;
    pl_str word = {condition.p + begin, i - begin};
    if (!word.n || isdigit((unsigned char)word.p[0]) ||
        pl_str_is(word, "defined"))
      continue;
    if (pl_is_compilers_own(word) ||
        (is_defined_here(unit, word) && !says_given(unit, word, 0)))
      return false;
    any = true;
  }
  return any;
}

/* Whether the group that ends at token `end` has another branch. */
static bool has_else(const pl_unit *unit, uint32_t at, uint32_t end) {
  int depth = 0;
  for (uint32_t i = pl_directive_from(unit, at); i < end;
       i = pl_directive_from(unit, i + 1)) {
    pl_directive_kind kind = pl_directive_kind_of(pl_directive_at(unit, i));
    depth += (kind == PL_DIRECTIVE_IF) - (kind == PL_DIRECTIVE_ENDIF);
    if (depth == 1 &&
        (kind == PL_DIRECTIVE_ELSE || kind == PL_DIRECTIVE_ELIF))
      return true;
  }
  return false;
}

/* Whether the name that a condition asks for is defined by headers that are not the
 * user's own: their version, say. */
static bool is_of_libraries(const pl_unit *unit, pl_str condition) {
  bool given = false;
  for (pl_str rest = condition; rest.n && !given;) {
    pl_str word = pl_first_word(rest);
    size_t n = word.n ? word.n : 1;
    bool own = pl_macro_definitions(unit, word, UINT32_MAX) > 0;
    for (size_t i = 0; i < unit->nown_headers && word.n && !own; i++)
      own = pl_macro_definitions(pl_header_unit(unit, i), word, UINT32_MAX) > 0;
    given = word.n && !own && pl_macro_is_given(unit, word);
    rest = (pl_str){rest.p + n, rest.n - n};
  }
  return given;
}

/* Whether a condition of the file, tokens `at` to `end`, stands around the loop, which no
 * other build has then. */
static bool is_around(const pl_loop *loop, uint32_t at, uint32_t end) {
  const pl_unit *unit = loop->unit;
  uint32_t begin = loop->node->range.begin;
  return unit->tokens[at].range.begin < begin &&
         (end == unit->ntokens || unit->tokens[end].range.begin > begin);
}

bool pl_chooses_for(const pl_loop *loop, const pl_unit *text, uint32_t at) {
  pl_str word = pl_directive_at(text, at);
  if (pl_directive_kind_of(word) != PL_DIRECTIVE_IF)
    return false;
  pl_range range = text->tokens[at].range;
  pl_directive d = pl_directive_read(loop->arena, pl_token_text(text, at));
  uint32_t end = pl_end_of_group(text, at);
  bool in_file = text == loop->unit, is_arch = pl_str_has(word, "__CUDA_ARCH__");
  if (pl_str_is(d.condition, "defined __CUDA_ARCH__") || /* so for all of them */
      (!is_arch && !asks_for_given(loop->unit, d.condition)) ||
      (!is_arch && !in_file && is_of_libraries(loop->unit, d.condition)) ||
      (in_file && (pl_range_inside(range, loop->node->range) || is_around(loop, at, end))))
    return false;
  return (in_file && pl_range_inside(range, loop->func->range)) ||
         pl_has_a_say(loop, text, at, end, has_else(text, at, end) || (is_arch && in_file));
}
