/* report.h - the report: one object a file, kernel and loop, written as JSON,
 * SARIF, text or HTML, and the files for other tools that come of it.
 *
 * docs/report.schema.json describes the JSON.
 * The schema only grows: fields are added behind those that are there, none
 * changes its meaning. What is not known is null. */
#ifndef PL_REPORT_H
#define PL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"
#include "pipelinify.h"
#include "record.h"

typedef struct pl_report pl_report;

pl_report *pl_report_new(void);
void pl_report_free(pl_report *report);

/* Nothing is kept of the kernels. */
void pl_report_add(pl_report *report, const char *path,
                   const pl_kernel_report *kernels, size_t count,
                   bool changed);

/* A file that .pipelinify-ignore leaves alone. */
void pl_report_add_ignored(pl_report *report, const char *path);

/* Keeps the bytes and the edits of the file that was added last: the writers of
 * SARIF, HTML and fixes show or need them. */
void pl_report_add_source(pl_report *report, const char *text, size_t length,
                          const pl_edit *edits, size_t count);

/* What was measured of the kernels of the file that was added last, where the
 * record knows. */
void pl_report_add_measured(pl_report *report, const pl_record *record,
                            const pl_kernel_report *kernels, size_t count);

/* A file that gave no result, and why. */
/* About the file that was added last. */
void pl_report_add_note(pl_report *report, const pl_note *note);

void pl_report_add_error(pl_report *report, const char *path,
                         const char *error);

/* The architecture that the file that was added last was rewritten for, 90; 0: the
 * default. */
void pl_report_target(pl_report *report, int arch);

/* What made the report, for the page alone: the command, and when it was run. */
void pl_report_made_by(pl_report *report, const char *command,
                       const char *date);
/* NULL: not known. */
const char *pl_report_command(const pl_report *report);
const char *pl_report_date(const pl_report *report);

/* Says where the files that were added since the last call stand among the
 * inputs of all shards. */
void pl_report_position(pl_report *report, size_t position);

/* Makes the JSON that of one shard of several, which can be merged: it carries
 * the positions, sources and edits too. `list` tells the list of all inputs
 * from others. */
void pl_report_be_shard(pl_report *report, int shard, int shards,
                        uint64_t list);

typedef enum pl_report_format {
  PL_REPORT_JSON,
  PL_REPORT_SARIF,
  PL_REPORT_TEXT,
  PL_REPORT_HTML
} pl_report_format;

/* The report in a format. Free its data with free. */
pl_bytes pl_report_render(const pl_report *report, pl_report_format format);

/* The whole report with its sources and edits, for another process to add to
 * its own with pl_report_unpack; false: the bytes are no such thing. */
pl_bytes pl_report_pack(const pl_report *report);
bool pl_report_unpack(pl_report *report, const char *data, size_t size);

/* SARIF 2.1.0: rules from the table of reasons, paths relative to the working
 * directory, fingerprints that outlive shifted lines, and the edits of a file
 * as the fix of its first pipelined loop. */
pl_bytes pl_sarif_text(const pl_report *report);

/* LLVM's optimisation record in YAML, one document a loop. */
pl_bytes pl_opt_record_text(const pl_report *report);

/* The edits in the YAML of clang-apply-replacements. `left_out` takes a path
 * whose edits YAML cannot carry (no UTF-8), NULL for none. */
pl_bytes pl_fixes_text(const pl_report *report, const char **left_out);

/* Counts of files, loops and reasons, a line each. */
pl_bytes pl_statistics_text(const pl_report *report);

/* The loops, a line each, then the counts. */
pl_bytes pl_text_report(const pl_report *report);

/* One page of HTML that needs nothing but itself. */
pl_bytes pl_html_text(const pl_report *report);

/* The JSON report's text, a newline at its end. Free its data with free. */
pl_bytes pl_report_text(const pl_report *report);

#endif
