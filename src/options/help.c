/* help.c - see help.h. From the table of the options. */
#define _GNU_SOURCE
#include "help.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "text.h"

/* "-arch, --gpu-architecture=ARCH" */
static char *spelling_of(const pl_option_info *info) {
  const char *s = info->short_name, *l = info->long_name, *v = info->value;
  const char *equals = v && !info->optional ? "=" : "";
  if (s && l)
    return pl_format("%s, %s%s%s", s, l, equals, v ? v : "");
  if (l)
    return pl_format("%s%s%s", l, equals, v ? v : "");
  return pl_format("%s%s%s", s, v ? " " : "", v ? v : "");
}

enum { HELP_COLUMN = 28, HELP_WIDTH = 79 };

/* Words of `text` up to the width, then on from the help column. */
static void print_wrapped(FILE *out, const char *text) {
  int column = HELP_COLUMN;
  for (const char *word = text; *word; word += strspn(word, " ")) {
    int length = (int)strcspn(word, " ");
    bool first = word == text, fits = column + length < HELP_WIDTH;
    if (!first && fits)
      fputc(' ', out);
    else if (!first)
      fprintf(out, "\n%*s", HELP_COLUMN, "");
    column = (fits ? column + !first : HELP_COLUMN) + length;
    fprintf(out, "%.*s", length, word);
    word += length;
  }
  fputc('\n', out);
}

static void print_option(FILE *out, const pl_option_info *info) {
  char *spelling = spelling_of(info);
  int room = HELP_COLUMN - 2;
  if ((int)strlen(spelling) < room)
    fprintf(out, "  %-*s", room, spelling);
  else
    fprintf(out, "  %s\n%*s", spelling, HELP_COLUMN, "");
  print_wrapped(out, info->help);
  free(spelling);
}

static void print_options(FILE *out) {
  const char *title = NULL;
  pl_option_info info;
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    if (info.title != title)
      fprintf(out, "\n%s:\n", info.title);
    title = info.title;
    print_option(out, &info);
  }
}

void pl_print_help(FILE *out) {
  fputs("usage: pipelinify [options] FILE|DIR... [-- compiler flags]\n"
        "       pipelinify validate|bench|tune [options] FILE|DIR..."
        " [-- compiler flags]\n"
        "       pipelinify compare [options] A.cu B.cu [-k NAME|A=B]"
        " [-- compiler flags]\n"
        "       pipelinify validate|bench --program=FILE [--build=CMD] [--run=CMD]\n"
        "                  [-- nvcc flags]\n"
        "       pipelinify validate|compare|bench --results=DIR\n"
        "       pipelinify tune --results=DIR [options] [FILE...]\n"
        "       pipelinify lint [options] FILE|DIR... [-- compiler flags]\n"
        "       pipelinify report merge [-o FILE] [--report-format=FORMAT]"
        " REPORT...\n"
        "       pipelinify record merge [-o FILE] RECORD...\n"
        "       pipelinify init [--force]\n"
        "       pipelinify doctor [options] [FILE...]\n"
        "\n"
        "Software-pipelines the tile loops of CUDA kernels: the loads of the"
        " next tile\noverlap the compute of this one. FILE - is standard"
        " input. Of nvcc's flags after\n-- the include paths and macros are"
        " used.\n",
        out);
  print_options(out);
  fputs("\nExit codes: 0 fine, also where loops were refused; 1 --check or"
        " --diff found a\nchange, lint a fault, or a 'require' was not met; 2 error; 3 a"
        " proof failed; 4 a\nproof could not be run. Remarks end with the ID"
        " that --explain takes.\n",
        out);
}
