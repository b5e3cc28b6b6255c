/* gpu_here.c - see gpu_here.h. */
#define _GNU_SOURCE
#include "gpu_here.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "text.h"

/* The compiler that --cuda-path means, else one where the script looks too.
 * NULL: there is none. Free with free. */
static char *find_nvcc(const pl_command *command) {
  const char *asked = command->cuda_path;
  char *path = asked && *asked ? pl_format("%s/bin/nvcc", asked) : NULL;
  if (path && access(path, X_OK) == 0)
    return path;
  free(path);
  return pl_find_nvcc();
}

const char *pl_gpu_missing(const pl_command *command) {
  if (!pl_has_cuda_device())
    return "no CUDA device";
  char *nvcc = find_nvcc(command);
  free(nvcc);
  return nvcc ? NULL : "no nvcc";
}

/* ---- the directory ------------------------------------------------------- */

/* Of what was named, not of what a directory holds: a file that is added leaves
 * the others' results where they are. */
static char *work_dir(const pl_gpu_work *work, const pl_environment *env) {
  const pl_command *named = work->named;
  unsigned long long hash = 14695981039346656037ULL ^ work->one_form;
  for (const char *c = work->what ? work->what : ""; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
  for (size_t i = 0; i <= named->ninputs; i++) {
    const char *name = i < named->ninputs ? named->inputs[i] : named->files;
    char *full = name ? realpath(name, NULL) : NULL;
    for (const char *c = full ? full : name ? name : ""; *c; c++)
      hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
    hash = (hash ^ 0xff) * 1099511628211ULL;
    free(full);
  }
  return pl_format("%s/gpu/%016llx",
                   env->cache_dir ? env->cache_dir : ".pipelinify-cache", hash);
}

/* Two at once in one directory would tread on each other: the second waits. -1:
 * it cannot be written, errno says why. */
static int lock(const char *dir, const pl_command *command, FILE *err) {
  char *path = pl_format("%s/lock", dir);
  int fd = pl_make_parents(path)
               ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)
               : -1;
  free(path);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return fd;
  if (!command->quiet)
    fprintf(err, "pipelinify: note: another one is at work on these files; "
                 "waiting\n");
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
    continue;
  return fd;
}

/* ---- the script ---------------------------------------------------------- */

enum { MOST_WORDS = 24 };

/* In the child. Standard output is the product's alone. */
static void become_script(const pl_gpu_work *work, const char *dir,
                          pid_t parent) {
  const pl_command *command = work->command;
  const char *words[MOST_WORDS] = {"sh"};
  size_t n = 1;
  words[n++] = pl_format("%s/bundle/run", dir);
  words[n++] = "--nvcc";
  words[n++] = find_nvcc(command);
  if (pl_option_given(command, "jobs") && command->jobs) {
    words[n++] = "-j";
    words[n++] = pl_format("%d", command->jobs);
  }
  if (command->quiet || !command->verbose)
    words[n++] = command->quiet ? "-q" : "--no-table";
  for (size_t i = 0; work->steps[i] && n < MOST_WORDS - 1; i++)
    words[n++] = work->steps[i];
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    _exit(127);
  execvp("sh", (char *const *)words);
  _exit(127);
}

/* Its exit code, 127 where it could not be started or was killed. */
static int run_script(const pl_gpu_work *work, const char *dir) {
  int status = 0;
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (child == 0)
    become_script(work, dir, parent);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

static bool came_to_an_end(int code) {
  return code == PL_EXIT_FINE || code == PL_EXIT_PROOF_FAILED ||
         code == PL_EXIT_NOT_PROVEN;
}

/* ---- both ---------------------------------------------------------------- */

static bool pack(const pl_gpu_work *work, const pl_environment *env,
                 pl_streams streams, const char *bundle, int *code) {
  pl_gpu_packing packing = {.dir = bundle, .anew = true, .here = true,
                            .one_form = work->one_form};
  *code = work->pack ? work->pack(work->context, &packing)
                     : pl_gpu_prepare(work->command, env, streams, &packing);
  return packing.kernels > 0;
}

char *pl_gpu_here(const pl_gpu_work *work, const pl_environment *env,
                  pl_streams streams, int *code) {
  char *dir = work_dir(work, env), *bundle = pl_format("%s/bundle", dir);
  int held = lock(dir, work->command, streams.err);
  bool done = false;
  if (held < 0) {
    fprintf(streams.err, "pipelinify: error: %s: %s\n", dir, strerror(errno));
    *code = PL_EXIT_ERROR;
  } else if (pack(work, env, streams, bundle, code)) {
    done = came_to_an_end(run_script(work, dir));
    if (!done) {
      fprintf(streams.err, "pipelinify: error: the work on the GPU did not "
                           "come to its end; started again, it goes on\n");
      *code = PL_EXIT_ERROR;
    }
  }
  if (held >= 0)
    close(held);
  free(dir);
  if (done)
    return bundle;
  free(bundle);
  return NULL;
}
