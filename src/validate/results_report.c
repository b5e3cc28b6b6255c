/* results_report.c - see results_report.h. */
#include "results_report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "machine_code.h"
#include "output.h"
#include "results.h"
#include "results_html.h"
#include "text.h"

/* --- proofs --------------------------------------------------------------- */

/* What tools found or did not say, each in a line of its own. */
static void say_tools(const pl_result_row *row, bool all, FILE *out) {
  for (size_t i = 0; i < row->n_tools; i++) {
    const pl_tool_word *word = &row->tools[i];
    if (all || strcmp(word->said, "clean") != 0)
      fprintf(out, "    %s: %s (original: %s)\n", word->tool, word->said,
              word->original ? word->original : "not asked");
  }
}

static const char *word_of(const pl_result_row *row) {
  bool by_tool = row->outcome == PL_OUTCOME_FINDING &&
                 strcmp(row->verdict, "equal") == 0;
  return by_tool ? "equal, but compute-sanitizer found something"
                 : row->verdict;
}

static void say_machine_code(const pl_command *command,
                             const pl_result_row *row, FILE *out) {
  bool sparing = command->quiet || (command->bench && !command->verbose);
  pl_machine_code_say(command->results, row,
                      sparing            ? PL_MACHINE_TROUBLE
                      : command->verbose ? PL_MACHINE_EXCERPT
                                         : PL_MACHINE_VERDICT,
                      out);
}

/* The fault was there before any form. */
static bool blames_original(const pl_result_row *row) {
  return pl_starts_with(row->verdict, "original-");
}

static bool is_same_launch(const pl_result_row *a, const pl_result_row *b) {
  return a->launch == b->launch && strcmp(a->id, b->id) == 0;
}

/* Once for all forms of a launch. */
static bool is_said(const pl_result_row *rows, size_t i) {
  for (size_t k = 0; k < i && blames_original(&rows[i]); k++)
    if (is_same_launch(&rows[k], &rows[i]) &&
        strcmp(rows[k].verdict, rows[i].verdict) == 0)
      return true;
  return false;
}

static void say_proof(const pl_command *command, const pl_result_row *row,
                      FILE *out) {
  bool original = blames_original(row);
  fprintf(out, "GPU: %s: %s: %s%s%s", row->id, row->kernel,
          original ? "" : row->variant, original ? "" : ": ", word_of(row));
  if (row->sizes_run > 0)
    fprintf(out, " (%.0f size sets)", row->sizes_run);
  fprintf(out, "\n");
  if (row->detail)
    fprintf(out, "    %s\n", row->detail);
  say_tools(row, command->verbose, out);
  say_machine_code(command, row, out);
}

static void say_proofs(const pl_results *results, const pl_command *command,
                       FILE *out) {
  size_t n;
  const pl_result_row *rows = pl_results_rows(results, &n);
  for (size_t i = 0; i < n; i++)
    if (!is_said(rows, i) &&
        (!command->quiet || rows[i].outcome != PL_OUTCOME_EQUAL ||
         pl_machine_code_is_undone(command->results, &rows[i])))
      say_proof(command, &rows[i], out);
}

/* --- times ---------------------------------------------------------------- */

/* A figure in `room`, "-" for none. */
static const char *figure(char *room, size_t size, const char *format,
                          double value) {
  if (isnan(value))
    snprintf(room, size, "-");
  else
    snprintf(room, size, format, value);
  return room;
}

/* Half of what lies between least and most, in per cent of the median. */
static double spread_of(const pl_measured *m) {
  return m->ms > 0 ? 50 * (m->ms_max - m->ms_min) / m->ms : NAN;
}

static void print_figure(FILE *out, int width, const char *format,
                         double value) {
  char room[32];
  fprintf(out, " %*s", width, figure(room, sizeof room, format, value));
}

static double sum_of_smem(const pl_measured *m) {
  return isnan(m->smem_dynamic) ? m->smem : m->smem + m->smem_dynamic;
}

/* A share in per cent; it may be negative. */
static double per_cent(double share) { return 100 * share; }

static void print_measured(const pl_measured *m, double speedup,
                           const pl_overlap *overlap, FILE *out) {
  print_figure(out, 10, "%.4f", m->ms);
  print_figure(out, 6, "%.1f%%", spread_of(m));
  print_figure(out, 9, "%.1f", m->gflops);
  print_figure(out, 8, "%.1f", m->gbs);
  print_figure(out, 7, "%.3fx", speedup);
  print_figure(out, 6, "%.2f", overlap->efficiency);
  print_figure(out, 5, "%.0f%%", per_cent(overlap->gain_share));
  print_figure(out, 4, "%.0f", m->registers);
  print_figure(out, 6, "%.0f", m->spills);
  print_figure(out, 7, "%.0f", sum_of_smem(m));
  print_figure(out, 6, "%.0f", m->blocks_per_sm);
  fprintf(out, "\n");
}

static const pl_overlap no_overlap = {NAN, NAN, NAN};

static void print_head(const pl_result_row *row, FILE *out) {
  fprintf(out, "\n%s: %s, launch %d\n", row->id, row->kernel, row->launch);
  fprintf(out, "%-14s %6s %-8s %10s %6s %9s %8s %7s %6s %5s %4s %6s %7s %6s\n",
          "variant", "stages", "bytes", "ms", "+-", "GFLOP/s", "GB/s",
          "speedup", "effic.", "gain", "regs", "spills", "shared", "blocks");
  fprintf(out, "%-14s %6d %-8s", "original", 1, "-");
  print_measured(&row->original, row->original.ms > 0 ? 1 : NAN, &no_overlap,
                 out);
}

/* Any form that was timed knows the original's figures. */
static const pl_result_row *timed_row(const pl_result_row *rows, size_t n,
                                      size_t first) {
  for (size_t i = first; i < n && is_same_launch(&rows[first], &rows[i]); i++)
    if (rows[i].original.ms > 0)
      return &rows[i];
  return &rows[first];
}

static void print_row(const pl_results *results, const pl_command *command,
                      const pl_result_row *row, FILE *out) {
  pl_overlap overlap = pl_results_overlap(results, row);
  fprintf(out, "%-13s%c %6d %-8s", row->variant, row->is_auto ? '*' : ' ',
          row->stages, row->copy_bytes);
  print_measured(&row->form, row->speedup, &overlap, out);
  if (row->outcome != PL_OUTCOME_EQUAL)
    fprintf(out, "    %s: %s\n", word_of(row),
            row->detail ? row->detail : "its time proves nothing");
  say_machine_code(command, row, out);
}

/* What the original takes with one side gone, and what follows from the two. */
static void print_sides(const pl_results *results, const pl_result_row *row,
                        FILE *out) {
  static const char *const names[] = {"loads alone", "compute alone"};
  for (int i = 0; i < 2; i++) {
    const pl_result_side *side = pl_results_side(results, row, i == 1);
    if (!side)
      continue;
    fprintf(out, "%-14s %6s %-8s", names[i], "-", "-");
    print_measured(&side->figures, NAN, &no_overlap, out);
    if (side->detail)
      fprintf(out, "    not timed: %s\n", side->detail);
  }
  pl_overlap overlap = pl_results_overlap(results, row);
  if (!isnan(overlap.bound))
    fprintf(out, "%-14s %6s %-8s %10.4f\n", "bound", "-", "-", overlap.bound);
}

static bool has_sides(const pl_results *results) {
  size_t n;
  pl_results_sides(results, &n);
  return n > 0;
}

static void print_times(const pl_results *results, const pl_command *command,
                        FILE *out) {
  size_t n;
  const pl_result_row *rows = pl_results_rows(results, &n);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || !is_same_launch(&rows[i - 1], &rows[i]))
      print_head(timed_row(rows, n, i), out);
    print_row(results, command, &rows[i], out);
    if (i + 1 == n || !is_same_launch(&rows[i], &rows[i + 1]))
      print_sides(results, &rows[i], out);
  }
  fprintf(out, "\n*: the choice of --variant=auto; +-: half of the range of all "
               "measurements\n");
  if (has_sides(results))
    fprintf(out, "bound: the longer of loads and compute alone; effic.: bound / "
                 "time; gain: of what lies between original and bound\n");
}

/* --- both ----------------------------------------------------------------- */

static const char *or_unknown(const char *text) {
  return text ? text : "unknown";
}

static void say_sum(const pl_results *results, FILE *out) {
  size_t n, counts[3] = {0};
  const pl_result_row *rows = pl_results_rows(results, &n);
  for (size_t i = 0; i < n; i++)
    counts[rows[i].outcome]++;
  fprintf(out, "GPU: %s, %s, CUDA %s: %zu equal, %zu findings, %zu not proven\n",
          or_unknown(pl_results_device(results, "name")),
          or_unknown(pl_results_device(results, "arch")),
          or_unknown(pl_results_device(results, "cuda")),
          counts[PL_OUTCOME_EQUAL], counts[PL_OUTCOME_FINDING],
          counts[PL_OUTCOME_OPEN]);
}

/* Whether the page that was asked for is there. */
static bool write_page(const pl_results *results, const pl_command *command,
                       FILE *err) {
  if (!command->report)
    return true;
  char *words = pl_command_text(command), *date = pl_environment_date();
  pl_bytes page = pl_results_html(results, words, date);
  free(words);
  free(date);
  bool written = pl_write_file(command->report, page.data, page.size) !=
                 PL_WRITE_FAILED;
  if (!written)
    fprintf(err, "pipelinify: error: %s: %s\n", command->report,
            strerror(errno));
  free(page.data);
  return written;
}

int pl_report_results(const pl_command *command, pl_streams streams) {
  pl_results *results = pl_results_read(command->results, streams.err);
  if (!results)
    return PL_EXIT_ERROR;
  if (command->bench)
    print_times(results, command, streams.out);
  else
    say_proofs(results, command, streams.out);
  if (pl_results_ran(results))
    say_sum(results, streams.out);
  else
    fprintf(streams.out, "GPU: skipped, nothing was run on one\n");
  int code = pl_results_exit_code(results);
  if (!write_page(results, command, streams.err) && code < PL_EXIT_ERROR)
    code = PL_EXIT_ERROR;
  pl_results_free(results);
  return code;
}
