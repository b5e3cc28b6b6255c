/* lint_report.h - what `lint` found, in words and for machines. */
#ifndef PL_LINT_REPORT_H
#define PL_LINT_REPORT_H

#include "environment.h"
#include "options.h"
#include "output.h"
#include "program.h"
#include "source.h"

/* Findings on standard output, what was not read on standard error. */
void pl_lint_print(const pl_lint_result *result, const pl_source *source,
                   const pl_command *command, const pl_environment *env,
                   pl_streams streams);

/* The findings of several files. */
typedef struct pl_lint_book pl_lint_book;
pl_lint_book *pl_lint_book_new(void);
void pl_lint_book_free(pl_lint_book *book);
void pl_lint_book_add(pl_lint_book *book, const char *path,
                      const pl_lint_result *result);
/* In the format that the command asks for: json, sarif or text. Free with free. */
pl_bytes pl_lint_book_text(const pl_lint_book *book, const pl_command *command);

#endif
