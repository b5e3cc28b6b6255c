/* interrupt.c - see interrupt.h. */
#include "interrupt.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the handler: a path is whole before its flag says so. */
typedef struct remembered {
  char path[PATH_MAX];
  volatile pid_t owner; /* a process that it forks is not to remove it */
  volatile sig_atomic_t exists;
} remembered;

static remembered file, directory;

static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught_signals / sizeof *caught_signals };

/* In a handler a program may be started; a directory may not be walked. */
void pl_remove_directory(const char *path) {
  const char *const words[] = {"rm", "-rf", "--", path, NULL};
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    execv("/bin/rm", (char *const *)words);
    _exit(127);
  }
  if (pid > 0)
    waitpid(pid, &status, 0);
}

static bool is_ours(const remembered *what) {
  return what->exists && what->owner == getpid();
}

static void remove_all(int signal_number) {
  if (is_ours(&file))
    unlink(file.path);
  if (is_ours(&directory))
    pl_remove_directory(directory.path);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void pl_catch_signals(void) {
  signal(SIGXFSZ, SIG_IGN); /* writing fails instead, and says so */
  for (size_t i = 0; i < CAUGHT; i++)
    if (signal(caught_signals[i], remove_all) == SIG_IGN)
      signal(caught_signals[i], SIG_IGN);
}

void pl_hold_signals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (size_t i = 0; i < CAUGHT; i++)
    sigaddset(&held, caught_signals[i]);
  sigprocmask(SIG_BLOCK, &held, before);
}

void pl_release_signals(const sigset_t *before) {
  sigprocmask(SIG_SETMASK, before, NULL);
}

static bool remember(remembered *what, const char *path) {
  what->exists = 0;
  if (!path)
    return true;
  size_t length = strlen(path);
  if (length >= sizeof what->path)
    return false;
  memcpy(what->path, path, length + 1);
  what->owner = getpid();
  what->exists = 1;
  return true;
}

bool pl_interrupt_removes_file(const char *path) {
  return remember(&file, path);
}

bool pl_interrupt_removes_directory(const char *path) {
  return remember(&directory, path);
}
