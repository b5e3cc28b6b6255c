/* remarks.c - see remarks.h. */
#define _GNU_SOURCE
#include "remarks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "text.h"

enum { TAB_STOP = 8, NUMBER_WIDTH = 5 };

/* How a verdict is spoken of. */
typedef struct verdict_row {
  pl_verdict verdict;
  const char *lead; /* in front of the library's sentence */
  const char *flag; /* of clang's that shows such remarks */
  bool always;      /* else only in verbose runs */
} verdict_row;

static const verdict_row verdict_table[] = {
    {PL_VERDICT_PIPELINED, "tile loop pipelined", "-Rpass", true},
    {PL_VERDICT_KEPT, "tile loop left as it is", "-Rpass-missed", true},
    {PL_VERDICT_REFUSED, "loop not pipelined", "-Rpass-missed", true},
    {PL_VERDICT_SUPPRESSED, "loop left alone", "-Rpass-missed", false},
    {PL_VERDICT_ALREADY_PIPELINED, "loop left alone", "-Rpass-analysis", true},
    {PL_VERDICT_NOT_A_TILE_LOOP, "no tile loop", "-Rpass-analysis", false},
};

static const verdict_row *find_verdict(pl_verdict verdict) {
  size_t i = 0;
  while (verdict_table[i].verdict != verdict)
    i++;
  return &verdict_table[i];
}

const char *pl_verdict_lead(const char *verdict_name) {
  size_t count = sizeof verdict_table / sizeof *verdict_table;
  for (size_t i = 0; i < count; i++)
    if (strcmp(pl_verdict_name(verdict_table[i].verdict), verdict_name) == 0)
      return verdict_table[i].lead;
  return "";
}

/* ", 8192 -> 24576 B shared", as far as it is known. */
static char *shared_bytes(const pl_loop_report *loop) {
  if (loop->smem_before < 0 || loop->smem_after < 0)
    return pl_format("%s", "");
  if (loop->smem_before == loop->smem_after)
    return pl_format(", %" PRId64 " B shared", loop->smem_after);
  return pl_format(", %" PRId64 " -> %" PRId64 " B shared", loop->smem_before,
                   loop->smem_after);
}

/* ", 64 -> 128 threads a block", where the launches are edited so. */
static char *block_threads(const pl_loop_report *loop) {
  return loop->loading > 0 ? pl_format(", %" PRId64 " -> %" PRId64 " threads a block",
                                       loop->loading, 2 * loop->loading)
                           : pl_format("%s", "");
}

char *pl_loop_outcome(const pl_loop_report *loop) {
  char *shared = shared_bytes(loop), *threads = block_threads(loop);
  char *outcome = pl_format("%s, %d stage%s%s%s", pl_variant_name(loop->variant),
                            loop->stages, loop->stages == 1 ? "" : "s", threads,
                            shared);
  free(shared);
  free(threads);
  return outcome;
}

char *pl_loop_sentence(const pl_loop_report *loop) {
  const char *lead = find_verdict(loop->verdict)->lead;
  if (loop->verdict != PL_VERDICT_PIPELINED)
    return loop->message ? pl_format("%s: %s", lead, loop->message)
                         : pl_format("%s", lead);
  char *outcome = pl_loop_outcome(loop);
  bool proven = loop->certificate != NULL;
  char *sentence = pl_format("%s: %s%s%s%s", lead, outcome,
                             loop->measured ? loop->measured : "",
                             proven ? "; certificate: " : "",
                             proven ? loop->certificate : "");
  free(outcome);
  return sentence;
}

/* A place in the source: a line, a column and the bytes it covers. */
typedef struct spot {
  unsigned line, column;
  uint32_t begin, end;
} spot;

static spot loop_spot(const pl_loop_report *loop) {
  return (spot){loop->line, loop->column, 0, 0};
}

/* The statement that decided; no statement but the loop itself: where it
 * begins. */
static spot blocking_spot(const pl_loop_report *loop) {
  bool itself = loop->at_line == loop->line && loop->at_column == loop->column;
  if (!loop->at_line || itself)
    return loop_spot(loop);
  return (spot){loop->at_line, loop->at_column, loop->at_begin, loop->at_end};
}

/* What goes with every line that is printed. */
typedef struct printer {
  FILE *out;
  const pl_source *source;
  pl_remark_style style;
} printer;

static void set_color(const printer *p, const char *code) {
  if (p->style.color)
    fprintf(p->out, "\033[%sm", code);
}

/* The text of a line without its end; NULL past the end of the source. */
static const char *find_line(const pl_source *source, unsigned line,
                             size_t *length) {
  const char *start = source->text, *end = start + source->length;
  for (unsigned i = 1; i < line && start; i++) {
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    start = newline ? newline + 1 : NULL;
  }
  if (!start || start >= end || !line)
    return NULL;
  const char *newline = memchr(start, '\n', (size_t)(end - start));
  *length = (size_t)((newline ? newline : end) - start);
  while (*length && start[*length - 1] == '\r')
    --*length;
  return start;
}

/* Columns on a terminal that the first `count` bytes take. */
static size_t display_width(const char *text, size_t count) {
  size_t width = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\t')
      width += TAB_STOP - width % TAB_STOP;
    else
      width += (c & 0xc0) != 0x80;
  }
  return width;
}

static void print_repeated(FILE *out, char c, size_t count) {
  while (count--)
    fputc(c, out);
}

static void print_expanded(FILE *out, const char *text, size_t length) {
  size_t width = 0;
  for (size_t i = 0; i < length; i++) {
    size_t after = display_width(text, i + 1);
    if (text[i] == '\t')
      print_repeated(out, ' ', after - width);
    else
      fputc(text[i], out);
    width = after;
  }
}

/* The bytes of the line that the spot covers behind its first one. */
static size_t range_length(const pl_source *source, const char *line,
                           size_t length, spot s) {
  size_t caret = (size_t)(line - source->text) + s.column - 1;
  size_t line_end = (size_t)(line - source->text) + length;
  size_t end = s.end < line_end ? s.end : line_end;
  return s.begin == caret && end > caret ? end - caret : 1;
}

static void print_caret(const printer *p, const char *line, size_t length,
                        spot s) {
  size_t before = s.column - 1 < length ? s.column - 1 : length;
  size_t covered = range_length(p->source, line, length, s);
  size_t end = before + covered < length ? before + covered : length;
  size_t indent = display_width(line, before);
  size_t width = display_width(line, end) - indent;
  fprintf(p->out, "%*s | ", NUMBER_WIDTH, "");
  print_repeated(p->out, ' ', indent);
  set_color(p, "0;1;32");
  fputc('^', p->out);
  print_repeated(p->out, '~', width ? width - 1 : 0);
  set_color(p, "0");
  fputc('\n', p->out);
}

static void print_snippet(const printer *p, spot s) {
  size_t length;
  const char *line = find_line(p->source, s.line, &length);
  if (!line || !s.column)
    return;
  fprintf(p->out, "%*u | ", NUMBER_WIDTH, s.line);
  print_expanded(p->out, line, length);
  fputc('\n', p->out);
  print_caret(p, line, length, s);
}

static void print_head(const printer *p, spot s, const char *kind,
                       const char *kind_color) {
  set_color(p, "1");
  fprintf(p->out, "%s:", p->source->path);
  if (s.line)
    fprintf(p->out, "%u:%u:", s.line, s.column);
  fputc(' ', p->out);
  set_color(p, kind_color);
  fprintf(p->out, "%s: ", kind);
  set_color(p, "0");
}

static void print_note(const printer *p, spot s, const char *text) {
  print_head(p, s, "note", "0;1;36");
  fprintf(p->out, "%s\n", text);
}

/* The function is named as clang names the one that an instantiation is of. */
static void print_remark(const printer *p, const pl_kernel_report *kernel,
                         const pl_loop_report *loop) {
  spot at = blocking_spot(loop);
  char *sentence = pl_loop_sentence(loop);
  print_head(p, at, "remark", "0;1;34");
  set_color(p, "1");
  if (kernel->name)
    fprintf(p->out, "in '%s': ", kernel->name);
  fputs(sentence, p->out);
  set_color(p, "0");
  fprintf(p->out, " [%s=pipelinify]", find_verdict(loop->verdict)->flag);
  if (loop->id)
    fprintf(p->out, " [%s]", loop->id);
  fputc('\n', p->out);
  print_snippet(p, at);
  free(sentence);
}

static void print_notes(const printer *p, const pl_loop_report *loop) {
  for (size_t i = 0; i < loop->nnotes; i++) {
    const pl_note *note = &loop->notes[i];
    spot s = {note->line, note->column, note->begin, note->end};
    print_note(p, s, note->message);
    print_snippet(p, s);
  }
  if (blocking_spot(loop).line == loop->line)
    return;
  print_note(p, loop_spot(loop), "the loop begins here");
  print_snippet(p, loop_spot(loop));
}

static void print_why(const printer *p, const pl_loop_report *loop) {
  if (loop->why)
    print_note(p, loop_spot(loop), loop->why);
}

static void print_ratio(const printer *p, const pl_loop_report *loop) {
  if (loop->ratio < 0)
    return;
  char *text = pl_format("compute/load ratio %.1f operations a byte: %s",
                         loop->ratio, pl_ratio_advice(loop->ratio));
  print_note(p, loop_spot(loop), text);
  free(text);
}

/* Where registers leave fewer blocks than shared memory and threads do, or nvcc has
 * said how many there are; else "". Free with free. */
static char *words_on_registers(const printer *p, const pl_loop_report *loop) {
  const pl_arch *arch = pl_arch_find(p->style.arch ? p->style.arch : 80);
  int old = loop->registers_before, new = loop->registers_after;
  if (!arch || old <= 0 || new <= 0 || loop->threads <= 0)
    return pl_format("%s", "");
  int before = pl_arch_blocks(arch, loop->threads, old, loop->smem_before);
  int after = pl_arch_blocks(arch, loop->threads, new, loop->smem_after);
  if (!loop->registers_known && before == loop->blocks_before &&
      after == loop->blocks_after)
    return pl_format("%s", "");
  return pl_format(loop->registers_known
                       ? ", with the %d -> %d registers that nvcc gives a thread %d -> %d"
                       : ", with about %d -> %d registers a thread %d -> %d",
                   old, new, before, after);
}

static void print_occupancy(const printer *p, const pl_loop_report *loop) {
  if (loop->blocks_before < 0 || loop->blocks_after < 0)
    return;
  char *registers = words_on_registers(p, loop);
  char *text = pl_format(
      loop->threads > 0
          ? "blocks a multiprocessor: %d -> %d%s"
          : "blocks a multiprocessor, as far as shared memory goes: %d -> %d%s (how many "
            "threads a block has is not known; --block-threads=N or "
            "__launch_bounds__ says it)",
      loop->blocks_before, loop->blocks_after, registers);
  print_note(p, loop_spot(loop), text);
  free(registers);
  free(text);
}

static void print_staging(const printer *p, const pl_loop_report *loop) {
  bool copies = loop->verdict == PL_VERDICT_PIPELINED &&
                pl_variant_is_async(loop->variant);
  if (loop->staging_bytes <= 0 || copies)
    return;
  char *text = pl_format("staging takes %" PRId64 " bytes of registers a "
                         "thread", loop->staging_bytes);
  print_note(p, loop_spot(loop), text);
  free(text);
}

/* "4096 (8)", or "98304 (over)" where a block may not have so much. */
static void print_budget_cell(const printer *p, const pl_arch *arch,
                              const pl_loop_report *loop, int stages) {
  int64_t bytes = pl_budget_bytes(loop, stages);
  int blocks = pl_budget_blocks(arch, bytes, loop->threads);
  char *cell = bytes > arch->smem_block_static
                   ? pl_format("%" PRId64 " (over)", bytes)
                   : pl_format("%" PRId64 " (%d)", bytes, blocks);
  fprintf(p->out, "  %16s", cell);
  free(cell);
}

static void print_budget_row(const printer *p, const pl_arch *arch,
                             const pl_loop_report *loop, const int *stages,
                             size_t count) {
  fprintf(p->out, "    sm_%-4d %9d %9d", arch->sm, arch->smem_block_static,
          arch->smem_sm);
  for (size_t i = 0; i < count; i++)
    print_budget_cell(p, arch, loop, stages[i]);
  fputc('\n', p->out);
}

static void print_budget_head(const printer *p, const int *stages,
                              size_t count) {
  fprintf(p->out, "    %-7s %9s %9s", "arch", "block max", "SM");
  for (size_t i = 0; i < count; i++) {
    char *title = pl_format("%d stage%s", stages[i],
                            stages[i] == 1 ? "" : "s");
    fprintf(p->out, "  %16s", title);
    free(title);
  }
  fputc('\n', p->out);
}

static void print_budget(const printer *p, const pl_loop_report *loop) {
  int stages[PL_BUDGET_STAGES];
  const pl_arch *archs[PL_BUDGET_ARCHS];
  size_t columns = pl_budget_stages(loop, stages);
  size_t rows = pl_budget_archs(archs);
  if (!columns || !rows)
    return;
  print_note(p, loop_spot(loop),
             "shared memory in bytes (blocks a multiprocessor)");
  print_budget_head(p, stages, columns);
  const pl_arch *only = p->style.arch ? pl_arch_find(p->style.arch) : NULL;
  for (size_t i = 0; i < rows; i++)
    if (!only || archs[i]->sm == only->sm)
      print_budget_row(p, archs[i], loop, stages, columns);
}

static bool is_tile_loop(const pl_loop_report *loop) {
  return loop->verdict == PL_VERDICT_PIPELINED ||
         loop->verdict == PL_VERDICT_KEPT ||
         loop->verdict == PL_VERDICT_REFUSED;
}

static void print_figures(const printer *p, const pl_loop_report *loop) {
  print_why(p, loop);
  print_ratio(p, loop);
  print_occupancy(p, loop);
  print_staging(p, loop);
  print_budget(p, loop);
}

static bool print_loop(const printer *p, const pl_kernel_report *kernel,
                       const pl_loop_report *loop) {
  bool said = loop->verdict == PL_VERDICT_SUPPRESSED && p->style.all_selected;
  if (!find_verdict(loop->verdict)->always && !p->style.verbose && !said)
    return false;
  print_remark(p, kernel, loop);
  print_notes(p, loop);
  if (p->style.verbose && is_tile_loop(loop))
    print_figures(p, loop);
  return true;
}

size_t pl_remarks_print(FILE *out, const pl_source *source,
                        const pl_kernel_report *kernels, size_t count,
                        pl_remark_style style) {
  printer p = {out, source, style};
  size_t printed = 0;
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++)
      printed += print_loop(&p, &kernels[k], &kernels[k].loops[i]);
  return printed;
}

void pl_remarks_print_note(FILE *out, const pl_source *source,
                           const pl_note *note, pl_remark_style style) {
  printer p = {out, source, style};
  spot s = {note->line, note->column, note->begin, note->end};
  print_note(&p, s, note->message);
  if (s.line)
    print_snippet(&p, s);
}

void pl_remarks_print_finding(FILE *out, const pl_source *source,
                              const pl_lint_finding *finding, pl_remark_style style) {
  printer p = {out, source, style};
  spot s = {finding->line, finding->column, finding->begin, finding->end};
  print_head(&p, s, "warning", "0;1;35");
  set_color(&p, "1");
  fprintf(out, "in '%s': %s", finding->kernel, finding->message);
  set_color(&p, "0");
  fprintf(out, " [%s]\n", finding->id);
  print_snippet(&p, s);
  for (size_t i = 0; i < finding->nnotes; i++)
    pl_remarks_print_note(out, source, &finding->notes[i], style);
}

static void print_pragma(const printer *p, const pl_pragma_report *pragma) {
  spot s = {pragma->line, pragma->column, pragma->begin, pragma->end};
  print_head(p, s, pragma->unmet ? "error" : "warning",
             pragma->unmet ? "0;1;31" : "0;1;35");
  fprintf(p->out, "%s [-Wpipelinify-pragma]\n", pragma->message);
  print_snippet(p, s);
}

void pl_remarks_print_pragmas(FILE *out, const pl_source *source,
                              const pl_pragma_report *pragmas, size_t count,
                              pl_remark_style style) {
  printer p = {out, source, style};
  for (size_t i = 0; i < count; i++)
    print_pragma(&p, &pragmas[i]);
}
