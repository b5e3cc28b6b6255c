/* batch.c - see batch.h. */
#define _GNU_SOURCE
#include "batch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

enum { POLL_MS = 50, GRACE_MS = 1000 };

/* A running process. */
typedef struct slot {
  pid_t pid; /* 0: free */
  size_t job;
  int fds[3];           /* out, err, facts */
  long long began;      /* ms */
  long long terminated; /* ms when it was told to end; 0: not yet */
  char *failure;        /* why it was told to */
} slot;

typedef struct finished {
  bool ready;
  pl_outcome outcome;
  char *failure; /* owned; the outcome's */
} finished;

typedef struct pool {
  const pl_batch *batch;
  slot *slots;
  int nslots, running;
  finished *finished;
  size_t next, shown; /* jobs to start, to hand over */
  sigset_t before;    /* the signal mask outside */
} pool;

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static pl_bytes whole_file(int fd) {
  off_t size = lseek(fd, 0, SEEK_END);
  pl_bytes bytes = {pl_alloc((size_t)(size > 0 ? size : 0) + 1, 1), 0};
  for (ssize_t n; size > 0 && bytes.size < (size_t)size; bytes.size += (size_t)n)
    if ((n = pread(fd, bytes.data + bytes.size, (size_t)size - bytes.size,
                   (off_t)bytes.size)) <= 0)
      break;
  return bytes;
}

static void finish(pool *p, size_t job, pl_outcome outcome, char *failure) {
  finished *f = &p->finished[job];
  *f = (finished){true, outcome, failure};
  f->outcome.failure = failure;
}

static bool open_files(int fds[3]) {
  for (int i = 0; i < 3; i++)
    fds[i] = memfd_create("pipelinify", MFD_CLOEXEC);
  return fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0;
}

static void close_files(const int fds[3]) {
  for (int i = 0; i < 3; i++)
    if (fds[i] >= 0)
      close(fds[i]);
}

/* The child: a parent that dies, by kill -9 too, takes it along, and the
 * handler of SIGTERM removes its temporary file. */
static void be_child(pool *p, size_t job, const int fds[3], pid_t parent) {
  const pl_batch *batch = p->batch;
  sigprocmask(SIG_SETMASK, &p->before, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(2);
  pl_job_files files = {fdopen(fds[0], "w"), fdopen(fds[1], "w"),
                        fdopen(fds[2], "w")};
  if (!files.out || !files.err || !files.facts)
    _exit(2);
  int code = batch->work(batch->context, job, files);
  bool kept = fflush(files.out) == 0 && fflush(files.err) == 0 &&
              fflush(files.facts) == 0;
  _exit(kept ? code : 2);
}

static slot *free_slot(pool *p) {
  for (int i = 0; i < p->nslots; i++)
    if (!p->slots[i].pid)
      return &p->slots[i];
  return NULL;
}

static void start_process(pool *p, size_t job) {
  int fds[3] = {-1, -1, -1};
  pid_t parent = getpid(), pid = -1;
  if (open_files(fds)) {
    fflush(NULL);
    pid = fork();
  }
  if (pid == 0)
    be_child(p, job, fds, parent);
  if (pid > 0) {
    *free_slot(p) = (slot){.pid = pid, .job = job, .began = now_ms(),
                           .fds = {fds[0], fds[1], fds[2]}};
    p->running++;
    return;
  }
  finish(p, job, (pl_outcome){0},
         pl_format("no process could be started for it: %s", strerror(errno)));
  close_files(fds);
}

/* What a job that needs no process prints. */
static bool settle(pool *p, size_t job) {
  const pl_batch *batch = p->batch;
  pl_outcome o = {0};
  if (!batch->settle)
    return false;
  pl_job_files files = {pl_open_text(&o.out.data, &o.out.size),
                        pl_open_text(&o.err.data, &o.err.size),
                        pl_open_text(&o.facts.data, &o.facts.size)};
  bool settled = batch->settle(batch->context, job, files, &o.code);
  fclose(files.out);
  fclose(files.err);
  fclose(files.facts);
  if (settled) {
    finish(p, job, o, NULL);
    return true;
  }
  free(o.out.data);
  free(o.err.data);
  free(o.facts.data);
  return false;
}

static void start(pool *p) {
  size_t job = p->next++;
  if (p->batch->started)
    p->batch->started(p->batch->context, job);
  if (!settle(p, job))
    start_process(p, job);
}

static char *crash_sentence(int status) {
  int number = WTERMSIG(status);
  return pl_format("crashed (%s)", strsignal(number));
}

/* NULL: it came to its end. Without facts it did not: memory was out, say. */
static char *failure_of(const slot *s, int status, bool facts) {
  if (!WIFEXITED(status))
    return s->failure ? s->failure : crash_sentence(status);
  free(s->failure);
  return facts ? NULL
               : pl_format("came to no end (exit code %d)",
                           WEXITSTATUS(status));
}

static void collect(pool *p, slot *s, int status) {
  pl_outcome o = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                  .out = whole_file(s->fds[0]), .err = whole_file(s->fds[1]),
                  .facts = whole_file(s->fds[2])};
  char *failure = failure_of(s, status, o.facts.size > 0);
  close_files(s->fds);
  finish(p, s->job, o, failure);
  *s = (slot){0};
  p->running--;
}

static void reap(pool *p) {
  for (int i = 0; i < p->nslots; i++) {
    int status;
    slot *s = &p->slots[i];
    if (s->pid && waitpid(s->pid, &status, WNOHANG) == s->pid)
      collect(p, s, status);
  }
}

/* Resident bytes of a process; 0 where that cannot be known. */
static int64_t resident(pid_t pid) {
  long long size, pages = 0;
  char *path = pl_format("/proc/%d/statm", (int)pid);
  FILE *in = fopen(path, "r");
  free(path);
  if (!in)
    return 0;
  if (fscanf(in, "%lld %lld", &size, &pages) != 2)
    pages = 0;
  fclose(in);
  return pages * sysconf(_SC_PAGESIZE);
}

static char *excess(const pool *p, const slot *s) {
  const pl_batch *batch = p->batch;
  if (batch->timeout && now_ms() - s->began >= batch->timeout * 1000)
    return pl_format("took more than %lld s (--timeout)", batch->timeout);
  if (batch->max_memory && resident(s->pid) > batch->max_memory)
    return pl_format("took more than %lld MiB of memory (--max-memory)",
                     (long long)batch->max_memory >> 20);
  return NULL;
}

/* SIGTERM first, so that no temporary file stays; then SIGKILL. */
static void enforce_limits(pool *p) {
  for (int i = 0; i < p->nslots; i++) {
    slot *s = &p->slots[i];
    if (!s->pid)
      continue;
    if (s->terminated && now_ms() - s->terminated > GRACE_MS)
      kill(s->pid, SIGKILL);
    else if (!s->terminated && (s->failure = excess(p, s))) {
      s->terminated = now_ms();
      kill(s->pid, SIGTERM);
    }
  }
}

static void wait_for_one(pool *p) {
  sigset_t child;
  struct timespec moment = {0, POLL_MS * 1000000L};
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  bool limited = p->batch->timeout || p->batch->max_memory;
  sigtimedwait(&child, NULL, limited ? &moment : NULL);
  reap(p);
  enforce_limits(p);
}

static void show_ready(pool *p) {
  for (; p->shown < p->next && p->finished[p->shown].ready; p->shown++) {
    finished *f = &p->finished[p->shown];
    p->batch->done(p->batch->context, p->shown, &f->outcome);
    free(f->outcome.out.data);
    free(f->outcome.err.data);
    free(f->outcome.facts.data);
    free(f->failure);
  }
}

static int cores(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

static void hold_children(pool *p) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &child, &p->before);
}

void pl_batch_run(const pl_batch *batch) {
  pool p = {.batch = batch, .nslots = batch->jobs ? batch->jobs : cores()};
  p.slots = pl_alloc((size_t)p.nslots, sizeof *p.slots);
  p.finished = pl_alloc(batch->count, sizeof *p.finished);
  hold_children(&p);
  while (p.shown < batch->count) {
    while (p.running < p.nslots && p.next < batch->count) {
      start(&p);
      show_ready(&p);
    }
    if (p.running)
      wait_for_one(&p);
    show_ready(&p);
  }
  sigprocmask(SIG_SETMASK, &p.before, NULL);
  free(p.slots);
  free(p.finished);
}
