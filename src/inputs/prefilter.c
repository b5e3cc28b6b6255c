/* prefilter.c - see prefilter.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "prefilter.h"

#include <dirent.h>
#include <errno.h>
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* What is no code, and what looks as if it began such a thing. A literal ends
 * with its line, so that an apostrophe in an #error hides no code below. */
#define SKIPPED \
  "(?s)//(?:\\\\\\r?\\n|[^\\n])*" \
  "|/\\*.*?\\*/" \
  "|(?<!\\w)(?:u8|[uUL])?R\"([^ ()\\\\\\s\"]{0,16})\\(.*?\\)\\g{1}\"" \
  "|(?<!\\w)\\.?[0-9](?:'?\\w|\\.)*+" \
  "|#[ \\t]*include[ \\t]*(?:<[^>\\n]*>|\"[^\"\\n]*\")" \
  "|\"(?:\\\\(?:\\r?\\n|[^\\n])|[^\"\\\\\\n])*+\"" \
  "|'(?:\\\\[^\\n]|[^'\\\\\\n])++'"

/* Headers of the language and of the toolkit: they define no macro that
 * stands for a barrier, a tile or a kernel under another name. */
#define KNOWN_HEADER \
  "^#[ \\t]*include[ \\t]*<(?:" \
  "c?(?:assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal" \
  "|stdarg|stddef|stdint|stdio|stdlib|string|time|wchar)(?:\\.h)?" \
  "|algorithm|any|array|atomic|bit|bitset|chrono|cmath|complex" \
  "|condition_variable|deque|exception|fstream|functional|future" \
  "|initializer_list|iomanip|ios|iosfwd|iostream|istream|iterator|limits" \
  "|list|map|memory|mutex|new|numeric|optional|ostream|queue|random|ratio" \
  "|regex|set|span|sstream|stack|stdexcept|string|string_view|system_error" \
  "|thread|tuple|type_traits|typeinfo|unordered_map|unordered_set|utility" \
  "|valarray|variant|vector" \
  "|cuda(?:_runtime|_runtime_api|_fp16|_bf16|_fp8|)?\\.h" \
  "|cublas_v2\\.h|curand(?:_kernel)?\\.h|mma\\.h|cooperative_groups\\.h" \
  "|vector_types\\.h|device_launch_parameters\\.h|cuda_pipeline\\.h" \
  ")>"

/* Words that only the parser can take to their end: spliced or pasted names,
 * names with \u, digraphs, included text that is not known, our own pragmas. */
#define DOUBT \
  "##|%:|\\?\\?|[\\w#/]\\\\\\r?\\n[\\w/*\\\\]|#\\s*(?:\\\\\\r?\\n\\s*)*include" \
  "|\\bimport\\b|\\\\[uUN]"

/* Text in which SKIPPED may find a wrong end: a splice with blanks behind it,
 * or in the middle of an escape, of the end of a comment or of R"; a line that
 * ends as none did since Mac OS 9; trigraphs. */
#define RAW_DOUBT \
  "\\\\[\\\\ \\t\\f\\v]+\\r?\\n|[*R]\\\\\\r?\\n|\\r(?!\\n)|\\?\\?[=/'()!<>-]"

/* What makes threads wait. A barrier may stand in the text of an asm. */
#define BARRIER "(?i)sync|barrier|bar\\b|asm|wait|arrive"

/* A directory that headers are looked for in. */
typedef struct include_directory {
  char *path;
  bool shadows; /* it has a header by a name that we know */
  struct include_directory *next;
} include_directory;

struct pl_prefilter {
  include_directory **directories; /* that were looked at */
  pcre2_code *skipped, *header, *raw_doubt, *doubt, *loop, *kernel, *shared,
      *barrier;
};

static pcre2_code *compile(const char *pattern) {
  int error;
  PCRE2_SIZE offset;
  pcre2_code *code =
      pl_made(pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0,
                            &error, &offset, NULL));
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  return code;
}

pl_prefilter *pl_prefilter_new(void) {
  pl_prefilter *filter = pl_alloc(1, sizeof *filter);
  filter->directories = pl_alloc(1, sizeof(include_directory *));
  filter->skipped = compile(SKIPPED);
  filter->header = compile(KNOWN_HEADER);
  filter->raw_doubt = compile(RAW_DOUBT);
  filter->doubt = compile(DOUBT);
  filter->loop = compile("\\b(?:for|while|do|goto)\\b");
  filter->kernel = compile("global|device");
  filter->shared = compile("shared");
  filter->barrier = compile(BARRIER);
  return filter;
}

void pl_prefilter_free(pl_prefilter *filter) {
  if (!filter)
    return;
  for (include_directory *d = *filter->directories, *next; d; d = next) {
    next = d->next;
    free(d->path);
    free(d);
  }
  free(filter->directories);
  pcre2_code *codes[] = {filter->skipped, filter->header, filter->raw_doubt,
                         filter->doubt,   filter->loop,   filter->kernel,
                         filter->shared,  filter->barrier};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    pcre2_code_free(codes[i]);
  free(filter);
}

/* Where `code` matches; a search that gives up counts as found, at the end. */
static bool find(const pcre2_code *code, const char *text, size_t length,
                 size_t from, size_t *begin, size_t *end) {
  pcre2_match_data *match = pcre2_match_data_create(2, NULL);
  int count = pcre2_match(code, (PCRE2_SPTR)text, length, from, 0, match, NULL);
  PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(match);
  *begin = count > 0 ? offsets[0] : length;
  *end = count > 0 ? offsets[1] : length;
  pcre2_match_data_free(match);
  return count != PCRE2_ERROR_NOMATCH;
}

static bool has(const pcre2_code *code, const char *text, size_t length) {
  size_t begin, end;
  return find(code, text, length, 0, &begin, &end);
}

/* What the skipped text leaves behind: a space, and of an #include that is
 * not known, two question marks, the doubt. */
static const char *remainder_of(const pl_prefilter *filter, const char *text,
                                size_t length) {
  if (text[0] == '#')
    return has(filter->header, text, length) ? " " : "??";
  bool number = text[0] == '.' || (text[0] >= '0' && text[0] <= '9');
  return number ? "0" : " ";
}

/* The code of a text; NULL where the search gave up. Free with free. */
static char *code_of(const pl_prefilter *filter, const char *text,
                     size_t length, size_t *size) {
  char *code = pl_alloc(length + 3, 1);
  size_t from = 0, begin, end;
  *size = 0;
  while (find(filter->skipped, text, length, from, &begin, &end)) {
    if (begin == length) {
      free(code);
      return NULL;
    }
    memcpy(code + *size, text + from, begin - from);
    *size += begin - from;
    const char *rest = remainder_of(filter, text + begin, end - begin);
    memcpy(code + *size, rest, strlen(rest));
    *size += strlen(rest);
    from = end;
  }
  memcpy(code + *size, text + from, length - from);
  *size += length - from;
  return code;
}

/* Whether the value of -DNAME=VALUE could be a name; NAME alone is 1. */
static bool defines_word(const char *definition) {
  const char *value = strchr(definition, '=');
  return !*definition || strchr(definition, '(') ||
         (value && strspn(value, "=0123456789.") != strlen(value));
}

/* ---- directories of headers ------------------------------------------------ */

/* A header by a name that we know, or a directory in which such headers have
 * their parts. */
static bool is_known(const pl_prefilter *filter, const char *name) {
  char *line = pl_format("#include <%s>", name);
  bool known = has(filter->header, line, strlen(line)) ||
               strcmp(name, "bits") == 0 || strcmp(name, "crt") == 0;
  free(line);
  return known;
}

/* Whether a directory has what would be taken for a header of the language or
 * of the toolkit. One that is not there has nothing. */
static bool has_known_header(const pl_prefilter *filter, const char *path) {
  DIR *directory = opendir(path);
  bool found = false;
  if (!directory)
    return errno != ENOENT && errno != ENOTDIR;
  for (struct dirent *e; !found && (e = readdir(directory));)
    found = is_known(filter, e->d_name);
  closedir(directory);
  return found;
}

/* Looked at once a run. "-I-", "-isystem-after" and "=dir" are other things than
 * they seem. */
static bool shadows(const pl_prefilter *filter, const char *path) {
  if (*path == '-' || *path == '=')
    return true;
  for (include_directory *d = *filter->directories; d; d = d->next)
    if (strcmp(d->path, path) == 0)
      return d->shadows;
  include_directory *fresh = pl_alloc(1, sizeof *fresh);
  *fresh = (include_directory){pl_format("%s", path),
                               has_known_header(filter, path),
                               *filter->directories};
  *filter->directories = fresh;
  return fresh->shadows;
}

/* The directory that the flag at `*i` names, which moves past it; NULL: it is
 * no such flag. */
static const char *directory_flag(const char *const *flags, size_t count,
                                  size_t *i) {
  static const char *const names[] = {"-I", "-isystem", "-iquote",
                                      "-idirafter"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    if (!pl_starts_with(flags[*i], names[n]))
      continue;
    const char *joined = flags[*i] + strlen(names[n]);
    if (*joined)
      return joined;
    return *i + 1 < count ? flags[++*i] : NULL;
  }
  return NULL;
}

/* ---- flags -------------------------------------------------------------------- */

/* A flag that brings text along which the file does not show, or lets a header
 * of the user's stand for one of the language's. */
static bool may_define(const char *flag) {
  static const char *const names[] = {"-i", "-I", "--include", "--sysroot",
                                      "--define-macro", "-Wp,", "-Xpre",
                                      "-Xclang", "-nostdinc", "-F", "-B"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (pl_starts_with(flag, names[i]))
      return true;
  return pl_starts_with(flag, "-D") && defines_word(flag + 2);
}

static bool flags_may_define(const pl_prefilter *filter,
                             const char *const *flags, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *directory = directory_flag(flags, count, &i);
    if (directory ? shadows(filter, directory) : may_define(flags[i]))
      return true;
  }
  return false;
}

/* A loop may come with the doubt, too. */
static pl_relevance look_at_code(const pl_prefilter *filter, const char *code,
                                 size_t size) {
  bool kernel = has(filter->kernel, code, size);
  bool whole = kernel && has(filter->shared, code, size) &&
               has(filter->barrier, code, size) &&
               has(filter->loop, code, size);
  if (whole || has(filter->doubt, code, size))
    return PL_MAY_HOLD_LOOP;
  return kernel ? PL_NO_TILE_LOOP : PL_NO_KERNEL;
}

pl_relevance pl_prefilter_look(const pl_prefilter *filter, const char *text,
                               size_t length, const char *const *flags,
                               size_t nflags) {
  size_t size;
  if (flags_may_define(filter, flags, nflags) || memchr(text, 0, length) ||
      strstr(text, "pipelinify") || has(filter->raw_doubt, text, length))
    return PL_MAY_HOLD_LOOP;
  char *code = code_of(filter, text, length, &size);
  if (!code)
    return PL_MAY_HOLD_LOOP;
  pl_relevance relevance = look_at_code(filter, code, size);
  free(code);
  return relevance;
}
