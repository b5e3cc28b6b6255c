/* record_merge.c - see record_merge.h. */
#include "record_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "record.h"
#include "text.h"

/* Why the text was not written, NULL: it was. Free with free. */
static char *write_text(const char *output, const char *text, FILE *out) {
  if (!output || strcmp(output, "-") == 0) {
    fputs(text, out);
    return NULL;
  }
  bool written = pl_make_parents(output) &&
                 pl_write_file(output, text, strlen(text)) != PL_WRITE_FAILED;
  return written ? NULL : pl_format("%s: %s", output, strerror(errno));
}

int pl_record_merge(const pl_command *command, pl_streams streams) {
  char *problem;
  char *text = pl_record_join(command->inputs, command->ninputs, &problem);
  if (text)
    problem = write_text(command->output, text, streams.out);
  if (problem)
    fprintf(streams.err, "pipelinify: error: %s\n", problem);
  int code = problem ? PL_EXIT_ERROR : PL_EXIT_FINE;
  free(problem);
  free(text);
  return code;
}
