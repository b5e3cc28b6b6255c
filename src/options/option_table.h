/* option_table.h - options.def as a table, and what each option does with its
 * value. For options.c, option_check.c and option_setting.c; the face is
 * options.h. */
#ifndef PL_OPTION_TABLE_H
#define PL_OPTION_TABLE_H

#include "options.h"

typedef enum pl_option_group {
#define PL_GROUP(id, commands, title) PL_GROUP_##id,
#define PL_OPTION(...)
#include "options.def"
#undef PL_GROUP
#undef PL_OPTION
} pl_option_group;

typedef struct pl_parser {
  pl_command *command;
  char *const *next, *const *end;
  FILE *err;
  bool failed;
  bool in_file; /* reads a value of a .pipelinify */
} pl_parser;

typedef enum pl_action {
  ACTION_FLAG, ACTION_TEXT, ACTION_MODE, ACTION_MODE_TEXT, ACTION_CALL
} pl_action;

typedef struct pl_option_row {
  pl_option_group group;
  const char *short_name, *long_name, *value;
  pl_action kind;
  size_t member;
  pl_mode mode;
  void (*call)(pl_parser *, const char *option, const char *value);
  const char *help;
} pl_option_row;

/* One message a command line: the first mistake. */
void pl_fail(pl_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `word` is no option; the nearest one is suggested. */
void pl_fail_unknown(pl_parser *p, const char *word);

/* The row of `word`, `rest` what follows the name in it; NULL: none. */
const pl_option_row *pl_option_find(const char *word, const char **rest);
/* By its long name without dashes. */
const pl_option_row *pl_option_of_long(const char *key);
/* The option that a .pipelinify calls so, NULL: none that it may set. */
const pl_option_row *pl_option_of_key(const char *key);

size_t pl_option_count(void);
/* Notes that the command line has it. */
void pl_option_note_given(pl_command *command, const pl_option_row *row);

/* "[=FILE]": given with = alone. */
bool pl_option_value_optional(const pl_option_row *row);
/* Whether its value is a path, and not "". */
bool pl_option_names_file(const pl_option_row *row);
/* Has the command that is being parsed this option? */
bool pl_option_belongs(const pl_parser *p, const pl_option_row *row);
/* Does it say how one file is rewritten? --emit-ninja hands it on. */
bool pl_option_repeated(const pl_option_row *row);

/* Where `name` stands among the names; -1, and a message, for others. */
int pl_option_pick(pl_parser *p, const char *option, const char *name,
                   const char *const *names, const char *all);
/* Does what the option says; `word` is its name in messages. */
void pl_option_apply(pl_parser *p, const pl_option_row *row, const char *word,
                     const char *value);

/* The first thing that does not go together, as a message. */
void pl_option_check(pl_parser *p);

#endif
