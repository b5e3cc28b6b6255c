/* options.h - the command line.
 *
 * One table, options.def, feeds the parser, the help text and the suggestions
 * for misspelt options. */
#ifndef PL_OPTIONS_H
#define PL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nvcc_flags.h"
#include "pipelinify.h"
#include "report.h"
#include "words.h"

/* What becomes of the rewritten text. */
typedef enum pl_mode {
  PL_MODE_STDOUT,
  PL_MODE_FILE,
  PL_MODE_IN_PLACE,
  PL_MODE_OUT_DIR,
  PL_MODE_SUFFIX,
  PL_MODE_DIFF,
  PL_MODE_CHECK,
  PL_MODE_DRY_RUN,
  PL_MODE_LIST,
  PL_MODE_DUMP
} pl_mode;

typedef enum pl_color { PL_COLOR_AUTO, PL_COLOR_ALWAYS, PL_COLOR_NEVER } pl_color;

typedef enum pl_backend {
  PL_BACKEND_AUTO,
  PL_BACKEND_CPU,
  PL_BACKEND_GPU
} pl_backend;

/* A command line that makes sense. Strings belong to `words`. */
typedef struct pl_command {
  pl_words words; /* those of argv, files of arguments read in */
  pl_words made;  /* joined of them */
  bool validate; /* the subcommand; else the rewriter itself */
  bool tune;     /* likewise: measures and writes records */
  bool bench;    /* the same under its other name, with --prepare or --results */
  bool compare;  /* likewise: of two kernels that are there */
  bool merge;    /* `report merge` */
  bool join;     /* `record merge` */
  bool start;    /* `init`: writes configuration and a hook */
  bool doctor;   /* what of the surroundings is there */
  bool lint;     /* looks at pipelines that were written by hand */
  const char **inputs;
  size_t ninputs;

  pl_mode mode;
  const char *mode_option; /* that chose the mode; NULL: none */
  const char *output, *out_dir, *suffix, *dump_after;
  bool exit_on_change, force;

  bool depfile; /* of -MD */
  const char *depfile_path, *emit_ninja;
  const char **repeated; /* the words that say how to rewrite one file */
  size_t nrepeated;
  bool for_compiler; /* the product is read by one in its source's place: not an
                        option, see nvcc_launcher.h. The flags are the only ones */
  const char *const *flags; /* what follows -- as it was given */
  size_t nflags;

  const char **kernels; /* of -k: names, "regex:EXPR" */
  size_t nkernels;
  const char *assume_filename, *cuda_path;
  const char *files; /* a list of inputs */
  const char **excludes;
  size_t nexcludes;

  int shard, shards;   /* part 1 to `shards`; 0: all files */
  bool no_cache;
  const char *cache_dir; /* NULL: not given; "": none */
  int64_t cache_size;    /* bytes */

  int jobs;            /* 0: as many as there are cores */
  long long timeout;   /* seconds of processor time; 0: none */
  int64_t max_memory;  /* bytes; 0: no limit */

  pl_variant variant;
  int stages, arch, block_threads; /* 0: not given */
  const char *arch_word; /* native or all, where it names none; else NULL */
  int64_t max_smem;
  bool assume_no_alias, launch_bounds;
  int row_padding; /* as in pl_options */
  bool certificate;
  bool require_certificate, no_certificate;
  bool probe; /* compiles forms */

  const char *record; /* of measured choices; NULL: beside the source */
  bool no_record;

  const char *build_dir;   /* of -p; NULL: look above each source */
  const char **extra_args; /* of --extra-arg */
  size_t nextra_args;
  const char *config_file;
  bool no_config, dump_config, verify_config;
  bool *given; /* a row of the option table each: on the command line */

  const char *report;
  pl_report_format report_format;
  const char *opt_record, *export_fixes; /* files; NULL: not asked for */
  bool statistics;

  pl_backend backend;
  const char *launch;
  bool init; /* writes launch descriptions, and proves nothing */
  const char *prepare; /* of a bundle: its directory */
  const char *results; /* a directory with results.json, or the file */
  const char *replay; /* one run: its sizes, seed and schedule */
  bool all_variants, require_gpu;
  const char *program;      /* shadowed; NULL: none */
  const char *build, *run;  /* its commands; NULL: nvcc, and what it built */
  long long max_checks;     /* 0: not given */

  double min_gain;     /* tune's; 0.01: one percent */
  double least_gain;   /* auto's; 1.01: one percent, 0: any */
  bool compare_model;

  const char *explain, *completion;
  bool verbose, quiet, help, version;
  pl_color color;

  pl_clang_flags clang; /* of what follows -- */
} pl_command;

/* NULL, and a message on `err`, for a command line that makes no sense. */
pl_command *pl_command_parse(int argc, char *const *argv, FILE *err);
/* Its words as a shell would take them. Free with free. */
char *pl_command_text(const pl_command *command);
/* The same with --replay=`run` among its options. Free with free. */
char *pl_command_again(const pl_command *command, const char *run);
/* One where nothing is given. */
pl_command *pl_command_new(void);
void pl_command_free(pl_command *command);

/* The options that a .pipelinify may set, by their long names without dashes;
 * NULL behind the last. */
const char *pl_option_configurable(size_t index);
/* Sets one of them. What is wrong with the name or the value, NULL: nothing.
 * Free with free; `value` has to outlive the command. */
char *pl_option_set(pl_command *command, const char *key, const char *value);
/* Whether the command line has it. */
bool pl_option_given(const pl_command *command, const char *key);

/* A row of the table. Names that an option lacks are NULL. */
typedef struct pl_option_info {
  const char *short_name, *long_name;
  const char *value; /* what help calls it; NULL: a switch */
  bool optional;     /* the value may be left out */
  const char *help;
  const char *title; /* of its group; one pointer a group */
} pl_option_info;

/* The options in the order of the help text; false behind the last one. */
bool pl_option_at(size_t index, pl_option_info *info);

#endif
