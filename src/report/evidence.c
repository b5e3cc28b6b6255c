/* evidence.c - see evidence.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "evidence.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* FED: works on what came out of shared memory, and is none of the others. */
typedef enum kind { OTHER, LOAD, BARRIER, TENSOR, FUSED, BRANCH, FED } kind;

typedef struct instruction {
  unsigned long address, target; /* of a branch */
  kind kind;
  const char *text; /* "LDG.E R3, ...", in the dump */
  int length;
  int opcode_length;
} instruction;

typedef struct listing {
  instruction *code;
  size_t n, room;
  bool fed_counts; /* nothing stronger computes: FED is the compute */
} listing;

/* "        /.0230/   @P1 LDGSTS.E [R7], desc[UR10][R2.64] ;": address, opcode,
 * operands. */
static const char line_pattern[] =
    "^\\s*/\\*([0-9a-f]{4,})\\*/\\s+(?:\\{\\s*)?(?:@!?U?P\\w+\\s+)?"
    "([A-Z][A-Z0-9_.]*)([^;\\n]*);";

enum { MATCH_LIMIT = 100000 };

/* --- instructions --------------------------------------------------------- */

/* Is `opcode` the one called `name`, with or without modifiers? */
static bool is_opcode(const char *opcode, size_t n, const char *name) {
  size_t length = strlen(name);
  return n >= length && memcmp(opcode, name, length) == 0 &&
         (n == length || opcode[length] == '.');
}

/* HFMA2.MMA moves constants and is no tensor instruction. */
static kind kind_of(const char *opcode, size_t n) {
  static const struct {
    const char *name;
    kind kind;
  } names[] = {
      {"LDG", LOAD},     {"LDGSTS", LOAD},  {"BAR", BARRIER},
      {"HMMA", TENSOR},  {"IMMA", TENSOR},  {"DMMA", TENSOR},
      {"BMMA", TENSOR},  {"QMMA", TENSOR},  {"FFMA", FUSED},
      {"FFMA2", FUSED},  {"DFMA", FUSED},   {"BRA", BRANCH},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_opcode(opcode, n, names[i].name))
      return names[i].kind;
  return OTHER;
}

static void add(listing *l, instruction code) {
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 256;
    l->code = pl_resize(l->code, l->room, sizeof *l->code);
  }
  l->code[l->n++] = code;
}

/* The branch's last operand: 0x4c0; 0 where it is a register. */
static unsigned long target_of(const char *operands, size_t n) {
  for (size_t i = 0; i + 2 < n; i++)
    if (operands[i] == '0' && operands[i + 1] == 'x')
      return strtoul(operands + i, NULL, 16);
  return 0;
}

static void read_instructions(pcre2_code *pattern, const char *text, size_t n,
                              listing *to) {
  pcre2_match_data *match =
      pl_made(pcre2_match_data_create_from_pattern(pattern, NULL));
  pcre2_match_context *context = pl_made(pcre2_match_context_create(NULL));
  pcre2_set_match_limit(context, MATCH_LIMIT);
  const PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);
  for (size_t from = 0;
       pcre2_match(pattern, (PCRE2_SPTR)text, n, from, 0, match, context) > 0;
       from = at[1]) {
    const char *opcode = text + at[4], *operands = text + at[6];
    instruction code = {.address = strtoul(text + at[2], NULL, 16),
                        .kind = kind_of(opcode, at[5] - at[4]),
                        .text = opcode,
                        .length = (int)(at[7] - at[4]),
                        .opcode_length = (int)(at[5] - at[4])};
    if (code.kind == BRANCH)
      code.target = target_of(operands, at[7] - at[6]);
    add(to, code);
  }
  pcre2_match_context_free(context);
  pcre2_match_data_free(match);
}

/* --- the function --------------------------------------------------------- */

/* Where the text of a function begins; NULL: it is not there. */
static const char *find_head(const char *sass, const char *function) {
  char *head = pl_format("Function : %s\n", function);
  const char *at = strstr(sass, head);
  const char *body = at ? at + strlen(head) : NULL;
  free(head);
  return body;
}

static listing read_function(const char *sass, const char *function) {
  listing l = {0};
  const char *body = find_head(sass, function);
  const char *next = body ? strstr(body, "Function : ") : NULL;
  int error;
  PCRE2_SIZE at;
  pcre2_code *pattern =
      pl_made(pcre2_compile((PCRE2_SPTR)line_pattern, PCRE2_ZERO_TERMINATED,
                            PCRE2_MULTILINE, &error, &at, NULL));
  if (body)
    read_instructions(pattern, body,
                      next ? (size_t)(next - body) : strlen(body), &l);
  pcre2_code_free(pattern);
  return l;
}

/* --- loops ---------------------------------------------------------------- */

typedef struct span {
  size_t from, to; /* places in the listing, both included */
} span;

static size_t count(const listing *l, span s, kind wanted) {
  size_t n = 0;
  for (size_t i = s.from; i <= s.to; i++)
    n += l->code[i].kind == wanted;
  return n;
}

/* The loop that the branch at `at` closes. False: it closes none. The branch to
 * itself that ends every function is none. */
static bool find_span(const listing *l, size_t at, span *s) {
  const instruction *branch = &l->code[at];
  if (branch->kind != BRANCH || branch->target >= branch->address)
    return false;
  for (size_t i = 0; i < at; i++)
    if (l->code[i].address == branch->target) {
      *s = (span){i, at};
      return true;
    }
  return false;
}

static kind strongest(const listing *l, span s) {
  if (count(l, s, TENSOR))
    return TENSOR;
  return l->fed_counts && !count(l, s, FUSED) ? FED : FUSED;
}

static bool is_tile_loop(const listing *l, span s) {
  return count(l, s, LOAD) && count(l, s, BARRIER) &&
         count(l, s, strongest(l, s));
}

/* Does it hold another tile loop? */
static bool is_outer(const listing *l, span s) {
  span inner = {0, 0};
  for (size_t i = s.from; i < s.to; i++)
    if (find_span(l, i, &inner) && inner.from >= s.from &&
        is_tile_loop(l, inner))
      return true;
  return false;
}

static bool find_heaviest_loop(const listing *l, span *best) {
  size_t most = 0;
  span s = {0, 0};
  for (size_t i = 0; i < l->n; i++) {
    if (!find_span(l, i, &s) || !is_tile_loop(l, s) || is_outer(l, s))
      continue;
    size_t compute = count(l, s, strongest(l, s));
    if (compute > most) {
      most = compute;
      *best = s;
    }
  }
  return most > 0;
}

/* --- what shared memory feeds --------------------------------------------- */

/* Integer and other plain instructions compute in some kernels and find
 * addresses in all. Those are the compute that work on values out of shared
 * memory, as they are or as such instructions left them. */

enum { REGISTERS = 256 };

static bool begins(const instruction *code, const char *name) {
  return strncmp(code->text, name, strlen(name)) == 0;
}

/* "R12" at `at`: 12; -1 where no register stands. */
static int register_at(const instruction *code, int at) {
  char before = code->text[at - 1];
  if (code->text[at] != 'R' || strchr("UP_", before) || isalnum((unsigned char)before))
    return -1;
  int number = 0, digits = 0;
  for (at++; at < code->length && isdigit((unsigned char)code->text[at]) && digits < 3;
       at++, digits++)
    number = 10 * number + code->text[at] - '0';
  return digits && number < REGISTERS ? number : -1;
}

/* The place of the register that it writes first; -1: it writes none. */
static int place_of_result(const instruction *code) {
  int at = code->opcode_length;
  while (at < code->length && code->text[at] == ' ')
    at++;
  return at < code->length && register_at(code, at) >= 0 ? at : -1;
}

/* How many registers it writes: LDS.128, LDS.U.64, IMAD.WIDE. */
static int width_of_result(const instruction *code) {
  char *opcode = pl_format("%.*s", code->opcode_length, code->text);
  int width = strstr(opcode, ".128")                              ? 4
              : strstr(opcode, ".64") || strstr(opcode, ".WIDE") ? 2
                                                                  : 1;
  free(opcode);
  return width;
}

static bool reads_fed(const instruction *code, const bool *fed) {
  int result = place_of_result(code);
  int from = result < 0 ? code->opcode_length : result + 1;
  for (int i = from; i < code->length; i++) {
    int number = register_at(code, i);
    if (number >= 0 && fed[number])
      return true;
  }
  return false;
}

static bool moves_memory(const instruction *code) {
  return begins(code, "LD") || begins(code, "ST") || begins(code, "AT") ||
         begins(code, "RED.") || code->kind == BARRIER ||
         code->kind == BRANCH;
}

/* What a predicate guards counts as done: what reads it has the same guard. */
static void follow(instruction *code, bool *fed) {
  bool memory = moves_memory(code), feeds = reads_fed(code, fed);
  if (!memory && feeds && code->kind == OTHER && !begins(code, "MOV"))
    code->kind = FED;
  int at = place_of_result(code);
  bool is_fed = memory ? begins(code, "LDS") : feeds;
  if (at < 0)
    return;
  int first = register_at(code, at), width = width_of_result(code);
  for (int i = first; i < first + width && i < REGISTERS; i++)
    fed[i] = is_fed;
}

/* Twice round each loop: what its end reads may be used at its head. */
static void find_fed(listing *l) {
  span s = {0, 0};
  for (size_t i = 0; i < l->n; i++) {
    if (!find_span(l, i, &s))
      continue;
    bool fed[REGISTERS] = {false};
    for (int round = 0; round < 2; round++)
      for (size_t k = s.from; k <= s.to; k++)
        follow(&l->code[k], fed);
  }
}

/* Plain instructions count only where no loop has others. */
static bool find_main_loop(listing *l, span *best) {
  if (find_heaviest_loop(l, best))
    return true;
  find_fed(l);
  l->fed_counts = true;
  return find_heaviest_loop(l, best);
}

/* --- between barriers ----------------------------------------------------- */

static size_t after(span s, size_t i) { return i == s.to ? s.from : i + 1; }

/* Looks at what stands behind the barrier at `i`, up to the next one. */
static void look_at_part(const listing *l, span s, size_t i, kind compute,
                         pl_machine_loop *loop) {
  int all = 0, behind_load = 0;
  bool loaded = false;
  for (i = after(s, i); l->code[i].kind != BARRIER; i = after(s, i)) {
    loaded |= l->code[i].kind == LOAD;
    all += l->code[i].kind == compute;
    behind_load += loaded && l->code[i].kind == compute;
  }
  loop->behind += behind_load;
  loop->parts += all > 0;
  loop->overlapped += all > 0 && 2 * behind_load > all;
}

/* Is there compute in a loop inside? */
static bool is_rolled(const listing *l, span s, kind compute) {
  span inner = {0, 0};
  for (size_t i = s.from; i < s.to; i++)
    if (find_span(l, i, &inner) && inner.from >= s.from &&
        count(l, inner, compute))
      return true;
  return false;
}

pl_machine_loop pl_machine_loop_find(const char *sass, const char *function) {
  pl_machine_loop loop = {0};
  listing l = read_function(sass, function);
  span s = {0, 0};
  if (find_main_loop(&l, &s)) {
    kind compute = strongest(&l, s);
    loop.found = true;
    loop.first = l.code[s.from].address;
    loop.last = l.code[s.to].address;
    loop.loads = (int)count(&l, s, LOAD);
    loop.barriers = (int)count(&l, s, BARRIER);
    loop.compute = (int)count(&l, s, compute);
    loop.plain = compute == FED;
    loop.rolled = is_rolled(&l, s, compute);
    for (size_t i = s.from; i <= s.to; i++)
      if (l.code[i].kind == BARRIER)
        look_at_part(&l, s, i, compute, &loop);
  }
  free(l.code);
  return loop;
}

static bool is_shown(const instruction *code, kind compute) {
  return code->kind == LOAD || code->kind == BARRIER || code->kind == compute;
}

static void print_line(FILE *out, const char *indent, const instruction *code,
                       size_t more) {
  int n = code->length;
  while (n && code->text[n - 1] == ' ')
    n--;
  fprintf(out, "%s/*%04lx*/ %.*s", indent, code->address, n, code->text);
  if (more)
    fprintf(out, "   (and %zu more)", more);
  fprintf(out, "\n");
}

void pl_machine_loop_print(FILE *out, const char *indent, const char *sass,
                           const char *function) {
  listing l = read_function(sass, function);
  span s = {0, 0};
  if (find_main_loop(&l, &s)) {
    kind compute = strongest(&l, s);
    const instruction *first = NULL;
    size_t more = 0;
    for (size_t i = s.from; i < s.to; i++) {
      if (!is_shown(&l.code[i], compute))
        continue;
      if (first && first->kind == l.code[i].kind) {
        more++;
        continue;
      }
      if (first)
        print_line(out, indent, first, more);
      first = &l.code[i];
      more = 0;
    }
    if (first)
      print_line(out, indent, first, more);
    print_line(out, indent, &l.code[s.to], 0);
  }
  free(l.code);
}

/* --- judgement ------------------------------------------------------------ */

static int tiles_of(const pl_machine_loop *loop, int barriers) {
  return barriers > 0 && loop->barriers % barriers == 0
             ? loop->barriers / barriers
             : 0;
}

/* Of one tile's compute the compiler may put a rest behind the barrier; what
 * counts is where most of it stands. Of several, loads may have moved over more
 * than one barrier, which is as good. And less than most may be enough to wait
 * behind: of the accept cases, forms with a seventh of their compute behind a
 * load were faster by a third. */
static pl_seen judge_overlap(const pl_machine_loop *form, int tiles) {
  if (form->overlapped == form->parts ||
      (tiles == 1 && 2 * form->behind > form->compute))
    return PL_SEEN;
  bool some = form->overlapped || 8 * form->behind >= form->compute;
  return some ? PL_COULD_NOT_TELL : PL_NOT_SEEN;
}

/* `old` instructions of the original are as much work as `now` of the form would
 * be: are they? An inner loop that the compiler unrolls in one of the two makes
 * more instructions of the same work. */
static pl_seen judge_compute(const pl_machine_loop *original, long old,
                             const pl_machine_loop *form, long now) {
  if (old == now)
    return PL_SEEN;
  bool lost = now < old && !form->plain && !original->plain &&
              !form->rolled && !original->rolled;
  return lost ? PL_NOT_SEEN : PL_COULD_NOT_TELL;
}

static const char *why_open(const pl_machine_loop *original,
                            const pl_machine_loop *form, bool by_barriers,
                            bool by_loads) {
  if (form->plain)
    return "compilers form plain arithmetic in several ways";
  if (by_barriers)
    return form->rolled || original->rolled
               ? "an inner loop's instructions count once"
               : "there are more compute instructions a tile";
  return by_loads ? "its loads do not say how many tiles an iteration has"
                  : "the barriers do not say how many tiles an iteration has";
}

pl_evidence pl_evidence_judge(const pl_machine_loop *original,
                              int old_barriers, const pl_machine_loop *form,
                              int barriers) {
  pl_evidence e = {PL_COULD_NOT_TELL, PL_COULD_NOT_TELL, 0, NULL};
  if (!form->found) {
    e.why = "no loop with loads, barriers and compute was found";
    return e;
  }
  e.tiles = tiles_of(form, barriers);
  e.overlap = judge_overlap(form, e.tiles);
  int old_tiles = original->found ? tiles_of(original, old_barriers) : 0;
  bool by_barriers = e.tiles && old_tiles;
  bool by_loads = original->found && !barriers && !old_barriers;
  if (by_barriers)
    e.same_compute =
        judge_compute(original, (long)original->compute * e.tiles, form,
                      (long)form->compute * old_tiles);
  else if (by_loads && (long)form->compute * original->loads ==
                           (long)original->compute * form->loads)
    e.same_compute = PL_SEEN;
  if (e.overlap == PL_COULD_NOT_TELL)
    e.why = form->overlapped
                ? "it does between some barriers, not between others"
                : "a part of the compute stands behind the loads";
  else if (e.same_compute == PL_COULD_NOT_TELL)
    e.why = why_open(original, form, by_barriers, by_loads);
  return e;
}

const char *pl_seen_name(pl_seen seen) {
  return seen == PL_SEEN       ? "seen"
         : seen == PL_NOT_SEEN ? "not seen"
                               : "could not tell";
}
