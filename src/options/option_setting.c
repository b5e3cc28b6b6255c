/* option_setting.c - an option that a .pipelinify sets, in place of the command
 * line. See options.h. */
#include "option_table.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* A switch in a file has a word behind it. */
static void set_switch(pl_parser *p, const pl_option_row *row, const char *key,
                       const char *value) {
  static const char *const words[] = {"no", "yes", "false", "true",
                                      "off", "on", "0", "1", NULL};
  int index = pl_option_pick(p, key, value, words, "yes or no");
  *(bool *)((char *)p->command + row->member) = index > 0 && index % 2;
}

static void fail_unknown_key(pl_parser *p, const char *key) {
  pl_suggestion suggestion = {.wanted = key};
  pl_suggest(&suggestion, "extra-arg");
  for (size_t i = 0; pl_option_configurable(i); i++)
    pl_suggest(&suggestion, pl_option_configurable(i));
  if (pl_option_of_long(key))
    pl_fail(p, "'%s' belongs on the command line", key);
  else if (suggestion.best)
    pl_fail(p, "unknown name '%s'; did you mean '%s'?", key, suggestion.best);
  else
    pl_fail(p, "unknown name '%s'; see 'pipelinify --dump-config'", key);
}

char *pl_option_set(pl_command *command, const char *key, const char *value) {
  char *message = NULL;
  size_t size;
  FILE *err = pl_open_text(&message, &size);
  pl_parser p = {.command = command, .err = err, .in_file = true};
  const pl_option_row *row = pl_option_of_key(key);
  if (!row)
    fail_unknown_key(&p, key);
  else if (row->kind == ACTION_FLAG)
    set_switch(&p, row, key, value);
  else
    pl_option_apply(&p, row, key, value);
  fclose(err);
  if (p.failed)
    return message;
  free(message);
  return NULL;
}
