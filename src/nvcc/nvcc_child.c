/* nvcc_child.c - see nvcc_child.h.
 *
 * Needs a command line. Gives exit codes, and what was printed, in the order in which
 * it was where both streams lead to one file. Raises nothing. */
#define _GNU_SOURCE
#include "nvcc_child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void pl_nvcc_become(char *const *words) {
  fflush(NULL);
  execvp(words[0], words);
}

static bool share_a_file(void) {
  struct stat out, err;
  return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
         out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

/* Without a temporary file it speaks for itself. */
static void keep_back(pl_nvcc_said *said) {
  said->err = tmpfile();
  said->out = share_a_file() ? said->err : tmpfile();
  if (said->out && said->err)
    return;
  pl_nvcc_forget(said);
}

static void speak_to(FILE *file, int fd) {
  if (file && dup2(fileno(file), fd) < 0)
    _exit(127);
}

static void become_child(char *const *words, const pl_nvcc_said *said,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(127);
  speak_to(said ? said->out : NULL, STDOUT_FILENO);
  speak_to(said ? said->err : NULL, STDERR_FILENO);
  execvp(words[0], words);
  dprintf(STDERR_FILENO, "pipelinify-nvcc: error: %s: %s\n", words[0],
          strerror(errno));
  _exit(127);
}

int pl_nvcc_run(char *const *words, pl_nvcc_said *said) {
  int status = 0;
  if (said)
    keep_back(said);
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (child == 0)
    become_child(words, said, parent);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (child <= 0)
    return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void copy(FILE *from, FILE *to) {
  char piece[4096];
  size_t n;
  if (!from)
    return;
  rewind(from);
  while ((n = fread(piece, 1, sizeof piece, from)) > 0)
    fwrite(piece, 1, n, to);
  fflush(to);
}

void pl_nvcc_pass_on(pl_nvcc_said *said) {
  if (said->out != said->err)
    copy(said->out, stdout);
  copy(said->err, stderr);
  pl_nvcc_forget(said);
}

void pl_nvcc_forget(pl_nvcc_said *said) {
  if (said->out && said->out != said->err)
    fclose(said->out);
  if (said->err)
    fclose(said->err);
  *said = (pl_nvcc_said){0};
}
