/* report_tree.h - the report as its writers (SARIF, YAML, text, HTML) read it:
 * the JSON tree of docs/report.schema.json, and beside it what no report shows
 * whole, the bytes of each source and the edits that were made to it. */
#ifndef PL_REPORT_TREE_H
#define PL_REPORT_TREE_H

#include <jansson.h>
#include <stdbool.h>

#include "report.h"

/* The array of files. Borrowed. */
json_t *pl_report_files(const pl_report *report);

/* Adds a file's object and its detail (NULL: none), both kept by reference. */
void pl_report_append(pl_report *report, json_t *file, json_t *detail);

/* The source of the file at `index`; no data where it is not known. Free the
 * data with free. */
pl_bytes pl_report_source(const pl_report *report, size_t index);

/* An edit with its own copy of the text. */
typedef struct pl_report_edit {
  size_t offset, length;
  pl_bytes text;
} pl_report_edit;

/* The edits of the file at `index`, by offset; those at one place are joined.
 * Free with pl_report_edits_free. */
pl_report_edit *pl_report_edits(const pl_report *report, size_t index,
                                size_t *count);
void pl_report_edits_free(pl_report_edit *edits, size_t count);

/* A loop on its way past a writer. */
typedef struct pl_report_place {
  const pl_report *report;
  size_t file_index;
  json_t *file, *kernel, *loop;
} pl_report_place;

/* Calls `visit` for each loop, in the order of the files. */
void pl_report_each_loop(const pl_report *report,
                         void (*visit)(void *context,
                                       const pl_report_place *place),
                         void *context);

/* A string of an object; "" where it is null. Borrowed. */
const char *pl_tree_text(const json_t *object, const char *key);
/* A number of an object; -1 where it is null. */
long long pl_tree_number(const json_t *object, const char *key);
bool pl_tree_is(const json_t *object, const char *key, const char *text);

/* "loop not pipelined: tile ...": what a remark says. Free with free. */
char *pl_tree_sentence(const json_t *loop);

#endif
