/* run_state.h - what the files share that take inputs through: run.c (which
 * inputs, in which processes), job.c (from a source to what became of it) and
 * product.c (from that to files and standard output). */
#ifndef PL_RUN_STATE_H
#define PL_RUN_STATE_H

#include "answer.h"
#include "grids.h"
#include "ignore.h"
#include "output.h"
#include "precompiled.h"
#include "probe.h"
#include "prefilter.h"
#include "record.h"
#include "remarks.h"
#include "report.h"
#include "reuse.h"
#include "run.h"
#include "settings.h"
#include "summary.h"
#include "walk.h"

struct pl_waiting;

typedef struct pl_run_state {
  const pl_command *command;
  const pl_environment *env;
  pl_settings *settings;
  pl_ignores *ignores;
  pl_mode mode;
  const char *suffix;
  pl_selection *selection;
  pl_prefilter *prefilter;
  pl_reuse *reuse;
  pl_precompiled *precompiled;
  pl_memory *memory;
  pl_remark_style style;
  pl_report *report; /* NULL: not asked for */
  pl_inputs inputs;
  pl_summary *summary; /* of a batch */
  struct pl_waiting *waiting; /* of a batch, run.c: a job between two steps */
  size_t forked, shown; /* of a batch: jobs up to the last with a process */
  bool may_write;       /* such a process may have written files */
  bool progress, keeps_sources;
  pl_streams streams;
  char refused[16]; /* ID of the first loop that was refused; "" */
  int worst; /* exit code so far */
} pl_run_state;

/* One input on its way through. */
typedef struct pl_job {
  const pl_input *input;
  pl_source source;
  const pl_command *command; /* as it is for this source; NULL: not yet */
  pl_options options;
  pl_record *record; /* of measured choices; NULL: none */
  pl_grids *grids;   /* of the launches in the source */
  pl_reuse_key key;
  const char *text; /* the rewritten one */
  size_t length;
  bool changed;
  const pl_answer *answer; /* NULL: the parser had no need to see it */
  const pl_kernel_report *kernels;
  size_t nkernels;
  const char *dump;
  const char *const *headers; /* that the text depends on, for -MD */
  size_t nheaders;
} pl_job;

/* The biggest code counts. */
void pl_run_note_exit(pl_run_state *run, int code);
/* Exit code 2, and "pipelinify: error: PATH: REASON". */
void pl_run_say_error(pl_run_state *run, const char *path,
                      const char *reason);

bool pl_is_stdin(const char *input);
/* What messages call an input, and where its includes are looked for. */
const char *pl_run_shown_path(const pl_run_state *run, const char *input);

#endif
