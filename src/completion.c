/* completion.c - see completion.h. */
#include "completion.h"

#include <stdbool.h>
#include <string.h>

#include "options.h"
#include "pipelinify.h"

typedef struct choices_row {
  const char *option, *words;
} choices_row;

static const choices_row choices_table[] = {
#define PL_CHOICES(option, words) {option, words},
#include "choices.def"
#undef PL_CHOICES
};

enum { CHOICES_COUNT = sizeof choices_table / sizeof *choices_table };

/* "FILE", "DIR", words, or NULL for free text. */
static const char *find_choices(const char *name) {
  for (int i = 0; i < CHOICES_COUNT; i++)
    if (name && strcmp(choices_table[i].option, name) == 0)
      return choices_table[i].words;
  return NULL;
}

static const char *choices_of(const pl_option_info *info) {
  const char *words = find_choices(info->long_name);
  return words ? words : find_choices(info->short_name);
}

static void print_reason_ids(FILE *out) {
  size_t count;
  const pl_reason *reasons = pl_reasons(&count);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%s", i ? " " : "", reasons[i].id);
}

static void bash_words(FILE *out) {
  pl_option_info info;
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    if (info.short_name)
      fprintf(out, " %s", info.short_name);
    if (info.long_name)
      fprintf(out, " %s%s", info.long_name,
              info.value && !info.optional ? "=" : "");
  }
}

static void bash_case(FILE *out, const char *option, const char *words) {
  fprintf(out, "    %s) ", option);
  if (strcmp(words, "FILE") == 0)
    fputs("COMPREPLY=($(compgen -f -- \"$word\"))", out);
  else if (strcmp(words, "DIR") == 0)
    fputs("COMPREPLY=($(compgen -d -- \"$word\"))", out);
  else
    fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$word\"))", words);
  fputs("; return ;;\n", out);
}

static void print_bash(FILE *out) {
  fputs("# bash completion for pipelinify; made by pipelinify"
        " --completion=bash\n"
        "_pipelinify() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} option="
        "${COMP_WORDS[COMP_CWORD-1]}\n"
        "  COMPREPLY=()\n"
        "  # bash takes --name=value apart at the '='.\n"
        "  if [[ $word == = ]]; then word=\n"
        "  elif [[ $option == = ]]; then "
        "option=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "  case $option in\n",
        out);
  for (int i = 0; i < CHOICES_COUNT; i++)
    bash_case(out, choices_table[i].option, choices_table[i].words);
  fputs("    --explain) COMPREPLY=($(compgen -W '", out);
  print_reason_ids(out);
  fputs("' -- \"$word\")); return ;;\n  esac\n"
        "  if [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W '",
        out);
  bash_words(out);
  fputs("' -- \"$word\"))\n"
        "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
        "    return 0\n"
        "  fi\n"
        "  COMPREPLY=($(compgen -d -- \"$word\") $(compgen -f -X"
        " '!*.cu?(h)' -- \"$word\"))\n"
        "  [[ $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W 'validate"
        " bench' -- \"$word\"))\n"
        "  return 0\n"
        "}\n"
        "# The pattern *.cu?(h) is an extended one.\n"
        "shopt -s extglob\n"
        "complete -o filenames -F _pipelinify pipelinify\n",
        out);
}

/* Text between single quotes, with the given characters escaped. */
static void print_quoted(FILE *out, const char *text, const char *escaped) {
  for (; *text; text++) {
    if (*text == '\'') {
      fputs("'\\''", out);
      continue;
    }
    if (strchr(escaped, *text))
      fputc('\\', out);
    fputc(*text, out);
  }
}

/* ":value:_files", ":value:(a b)" or nothing, after zsh's _arguments. */
static void zsh_value(FILE *out, const pl_option_info *info) {
  const char *words = choices_of(info);
  if (!info->value)
    return;
  fprintf(out, "%s:", info->optional ? "::" : ":");
  print_quoted(out, info->value, ":[]");
  if (!words)
    fputs(": ", out);
  else if (strcmp(words, "FILE") == 0)
    fputs(":_files", out);
  else if (strcmp(words, "DIR") == 0)
    fputs(":_files -/", out);
  else
    fprintf(out, ":(%s)", words);
}

static void zsh_option(FILE *out, const pl_option_info *info,
                       const char *name) {
  bool is_long = name && name[1] == '-';
  if (!name)
    return;
  const char *joint = !info->value ? "" : info->optional ? "=-"
                      : is_long ? "=" : "+";
  fprintf(out, "  '*%s%s[", name, joint);
  print_quoted(out, info->help, "[]:");
  fputc(']', out);
  zsh_value(out, info);
  fputs("' \\\n", out);
}

static void print_zsh(FILE *out) {
  pl_option_info info;
  fputs("#compdef pipelinify\n"
        "# zsh completion; made by pipelinify --completion=zsh\n"
        "_arguments \\\n",
        out);
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    zsh_option(out, &info, info.short_name);
    zsh_option(out, &info, info.long_name);
  }
  fputs("  '*:CUDA source:_files -g \"*.cu(|h)(-.) *(-/)\"'\n", out);
}

/* -x for -x, -o for -arch (fish's old-style options), -l for --long. */
static void fish_name(FILE *out, const char *name) {
  if (name && name[1] == '-')
    fprintf(out, " -l %s", name + 2);
  else if (name)
    fprintf(out, " -%c %s", name[2] ? 'o' : 's', name + 1);
}

static void fish_value(FILE *out, const pl_option_info *info) {
  const char *words = choices_of(info);
  if (!info->value || info->optional)
    return;
  if (!words)
    fputs(" -x", out);
  else if (strcmp(words, "FILE") == 0)
    fputs(" -r -F", out);
  else if (strcmp(words, "DIR") == 0)
    fputs(" -x -a '(__fish_complete_directories)'", out);
  else
    fprintf(out, " -x -a '%s'", words);
}

static void print_fish(FILE *out) {
  pl_option_info info;
  fputs("# fish completion; made by pipelinify --completion=fish\n", out);
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    fputs("complete -c pipelinify", out);
    fish_name(out, info.short_name);
    fish_name(out, info.long_name);
    fish_value(out, &info);
    fputs(" -d '", out);
    /* Within single quotes fish knows \' and \\ alone. */
    for (const char *c = info.help; *c; c++)
      fprintf(out, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
    fputs("'\n", out);
  }
}

void pl_print_completion(const char *shell, FILE *out) {
  if (strcmp(shell, "bash") == 0)
    print_bash(out);
  else if (strcmp(shell, "zsh") == 0)
    print_zsh(out);
  else
    print_fish(out);
}
