/* option_check.c - what a command line may not ask for at once: each mistake is
 * told in the words of its options. See option_table.h. */
#include "option_table.h"

#include <string.h>

#include "text.h"

static bool is_stdin(const char *input) { return strcmp(input, "-") == 0; }

static size_t count_stdin(const pl_command *command) {
  size_t count = 0;
  for (size_t i = 0; i < command->ninputs; i++)
    count += is_stdin(command->inputs[i]);
  return count;
}

static bool is_named_after_input(pl_mode mode) {
  return mode == PL_MODE_IN_PLACE || mode == PL_MODE_SUFFIX ||
         mode == PL_MODE_OUT_DIR;
}

static void check_inputs(pl_parser *p) {
  const pl_command *command = p->command;
  if (command->ninputs == 0 && !command->results && !command->files &&
      !command->program)
    pl_fail(p, command->nflags
                   ? "no input file: what follows '--' is for the compiler"
                   : "no input file; see 'pipelinify --help'");
  for (size_t i = 0; i < command->ninputs; i++)
    if (!*command->inputs[i])
      pl_fail(p, "an input file's name is empty");
  if (count_stdin(command) > 1)
    pl_fail(p, "standard input is named twice");
  if (count_stdin(command) && is_named_after_input(command->mode))
    pl_fail(p, "'%s' needs files, not standard input", command->mode_option);
  if (count_stdin(command) && command->validate)
    pl_fail(p, "'validate' needs files, not standard input");
  if (count_stdin(command) && command->lint)
    pl_fail(p, "'lint' needs files, not standard input");
  if (command->ninputs > 1 && command->mode == PL_MODE_FILE)
    pl_fail(p, "'-o' takes one input, not %zu", command->ninputs);
}

/* The register forms have as many stages as they have. */
static void check_stages(pl_parser *p) {
  const pl_command *command = p->command;
  bool fits = command->variant == PL_VARIANT_AUTO ||
              (command->stages >= pl_variant_least(command->variant) &&
               command->stages <= pl_variant_most(command->variant));
  if (command->stages && !fits)
    pl_fail(p, "'--stages=%d' needs '--variant=cp.async'", command->stages);
}

static bool goes_to_stdout(const char *path) {
  return path && strcmp(path, "-") == 0;
}

static bool product_on_stdout(const pl_command *command) {
  if (command->lint)
    return false; /* the report is in the place of the findings */
  if (command->validate)
    return true;
  switch (command->mode) {
  case PL_MODE_FILE: return goes_to_stdout(command->output);
  case PL_MODE_IN_PLACE:
  case PL_MODE_OUT_DIR:
  case PL_MODE_SUFFIX:
  case PL_MODE_DRY_RUN: return false;
  default: return true;
  }
}

/* Results are what they are: nothing chooses anew what was run. */
static void check_results(pl_parser *p) {
  const pl_command *command = p->command;
  if (!command->results)
    return;
  if (!command->tune && command->ninputs)
    pl_fail(p, "'--results' takes no FILE: %s", command->inputs[0]);
  const char *other = command->prepare                      ? "--prepare"
                      : command->launch                     ? "--launch"
                      : command->nkernels                   ? "--kernel-name"
                      : command->all_variants               ? "--all-variants"
                      : pl_option_given(command, "variant")  ? "--variant"
                      : command->report && command->tune     ? "--report"
                      : command->backend == PL_BACKEND_CPU ? "--backend=cpu"
                                                            : NULL;
  if (other)
    pl_fail(p, "'--results' and '%s' exclude each other", other);
  if (command->report && command->report_format != PL_REPORT_HTML)
    pl_fail(p, "'--results' is reported in html ('--report-format=html'); its"
               " results.json is the JSON");
  if (goes_to_stdout(command->report))
    pl_fail(p, "'--report=-' and the result would share standard output");
  if (command->report_format && !command->report)
    pl_fail(p, "'--report-format' needs '--report=FILE'");
}

static void check_build(pl_parser *p) {
  const pl_command *command = p->command;
  bool product = (command->mode == PL_MODE_FILE &&
                  !goes_to_stdout(command->output)) ||
                 command->mode == PL_MODE_OUT_DIR ||
                 command->mode == PL_MODE_SUFFIX;
  if (command->depfile_path && !command->depfile)
    pl_fail(p, "'-MF' needs '-MD'");
  if (command->depfile && !product)
    pl_fail(p, "'-MD' needs '-o FILE', '--out-dir' or '--suffix'");
  if (command->depfile_path && command->ninputs > 1)
    pl_fail(p, "'-MF' takes one input, not %zu", command->ninputs);
  if (command->emit_ninja && command->depfile)
    pl_fail(p, "'--emit-ninja' and '-MD' exclude each other");
}

static void check_values(pl_parser *p) {
  const pl_command *command = p->command;
  if (goes_to_stdout(command->report) && product_on_stdout(command))
    pl_fail(p, "'--report=-' and the result would share standard output");
  if (command->report_format && !command->report)
    pl_fail(p,
            "'--report-format' needs '--report=FILE'; '--report=-' is standard"
            " output");
  bool html = command->report_format == PL_REPORT_HTML;
  if (command->report && command->tune)
    pl_fail(p, "'tune' writes records, not '--report'");
  else if (command->report && command->bench && !html && !command->program)
    pl_fail(p, "'bench' is reported in html ('--report-format=html')");
  else if (command->lint && html)
    pl_fail(p, "'lint' reports in json, sarif or text");
  else if (command->report_format && command->validate && !command->bench)
    pl_fail(p, "'validate' reports in json only");
  if (goes_to_stdout(command->opt_record) ||
      goes_to_stdout(command->export_fixes))
    pl_fail(p, "'--save-opt-record' and '--export-fixes' need the name of a"
               " file, not '-'");
  if (command->suffix && (!*command->suffix || strchr(command->suffix, '/')))
    pl_fail(p, "'%s' is no suffix", command->suffix);
  if (command->cuda_path && *command->cuda_path == '-')
    pl_fail(p, "'--cuda-path' needs DIR, not '%s'", command->cuda_path);
  if (command->compare_model && !command->results)
    pl_fail(p, "'--compare-model' needs '--results=DIR'");
  if (command->record && command->no_record)
    pl_fail(p, "'--record' and '--no-record' exclude each other");
  if (command->no_certificate &&
      (command->certificate || command->require_certificate))
    pl_fail(p, "'--no-certificate' and '%s' exclude each other",
            command->certificate ? "--certificate" : "--require-certificate");
  if (command->config_file && command->no_config)
    pl_fail(p, "'--config-file' and '--no-config' exclude each other");
  if (command->require_gpu && command->backend == PL_BACKEND_CPU)
    pl_fail(p, "'--require-gpu' and '--backend=cpu' exclude each other");
}

static void check_merge(pl_parser *p) {
  if (p->command->ninputs == 0)
    pl_fail(p, p->command->join
                   ? "'record merge' needs records: JSON files that 'tune' wrote"
                   : "'report merge' needs reports: JSON files that '--report' "
                     "wrote");
}

/* The program is the input, and its launches are the description. */
static void check_init(pl_parser *p) {
  const pl_command *command = p->command;
  const char *other = command->launch    ? "--launch"
                      : command->prepare ? "--prepare"
                      : command->results ? "--results"
                      : command->program ? "--program"
                      : command->report  ? "--report"
                                         : NULL;
  if (command->init && other)
    pl_fail(p, "'--init' and '%s' exclude each other", other);
  if (command->init && command->tune)
    pl_fail(p, "'--init' is an option of 'validate' and 'bench'");
}

static void check_program(pl_parser *p) {
  const pl_command *command = p->command;
  const char *lonely = command->build        ? "--build"
                       : command->run        ? "--run"
                       : command->max_checks ? "--max-checks"
                                             : NULL;
  if (!command->program) {
    if (lonely)
      pl_fail(p, "'%s' needs '--program=FILE'", lonely);
    return;
  }
  const char *other = command->ninputs                      ? command->inputs[0]
                      : command->launch                     ? "--launch"
                      : command->all_variants               ? "--all-variants"
                      : command->results                    ? "--results"
                      : command->backend == PL_BACKEND_CPU ? "--backend=cpu"
                                                            : NULL;
  if (command->tune)
    pl_fail(p, "'--program' is an option of 'pipelinify validate' and 'bench'");
  if (command->bench && command->report_format)
    pl_fail(p, "'bench --program' is reported in json");
  if (other)
    pl_fail(p, "'--program' and '%s' exclude each other", other);
  if (command->report && command->prepare)
    pl_fail(
        p, "'--prepare' packs the program; there is nothing to '--report' yet");
}

/* Both kernels are there: nothing is rewritten, and nothing chosen. */
static void check_compare(pl_parser *p) {
  const pl_command *command = p->command;
  if (command->replay && !command->compare)
    pl_fail(p, "'--replay' is an option of 'pipelinify compare'");
  if (!command->compare)
    return;
  const char *other = command->init                         ? "--init"
                      : command->program                    ? "--program"
                      : command->all_variants               ? "--all-variants"
                      : command->files                      ? "--files"
                      : pl_option_given(command, "variant") ? "--variant"
                      : command->stages                     ? "--stages"
                      : command->replay && command->prepare ? "--prepare"
                                                            : NULL;
  if (other)
    pl_fail(p, "'%s' is no option of 'compare'%s", other,
            command->replay && command->prepare ? " with '--replay'" : "");
  if (command->replay && command->backend == PL_BACKEND_GPU)
    pl_fail(p, "'--replay' is run on the CPU");
  if (!command->results && (command->ninputs < 1 || command->ninputs > 2))
    pl_fail(p, "'compare' takes two files, or one and '-k A=B', not %zu",
            command->ninputs);
  if (command->nkernels > 1)
    pl_fail(p, "'compare' takes one '-k NAME' or '-k A=B'");
  if (command->nkernels && pl_starts_with(command->kernels[0], "regex:"))
    pl_fail(p, "'compare' takes '-k NAME' or '-k A=B', no expression");
  if (command->ninputs == 1 && !command->nkernels)
    pl_fail(p, "'compare' takes two files, or one and '-k A=B'");
}

static bool needs_no_input(const pl_command *command) {
  return command->help || command->version || command->explain ||
         command->dump_config || command->verify_config ||
         command->completion || command->doctor || command->start;
}

/* As nvcc, which takes its default too. */
static void note_arch_word(const pl_parser *p) {
  const char *word = p->command->arch_word;
  if (word && !p->command->quiet)
    fprintf(p->err, "pipelinify: note: '-arch=%s': %s, sm_80 is taken\n", word,
            strcmp(word, "native") ? "code for sm_80 runs on all newer"
                                   : "no GPU to ask");
}

void pl_option_check(pl_parser *p) {
  if (p->command->start && p->command->ninputs)
    pl_fail(p, "'init' is for the working directory, and takes no FILE: %s",
            p->command->inputs[0]);
  if (needs_no_input(p->command))
    return;
  if (p->command->merge || p->command->join) {
    check_merge(p);
    return;
  }
  note_arch_word(p);
  check_init(p);
  check_program(p);
  check_compare(p);
  check_results(p);
  if (p->command->results)
    return;
  check_inputs(p);
  check_stages(p);
  check_values(p);
  check_build(p);
}
