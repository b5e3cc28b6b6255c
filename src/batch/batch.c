/* batch.c - see batch.h. */
#define _GNU_SOURCE
#include "batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

enum {
  POLL_MS = 50,
  GRACE_MS = 1000,
  WALL_FACTOR = 10, /* of the processor time that a job may take: for one that
                       sleeps, and not for one whose machine is busy */
  JOBS_A_WORKER = 32, /* libclang's pages are touched once for so many */
  LAST_GOOD_CODE = 1
};

/* A process that does one job after the other. */
typedef struct worker {
  pid_t pid;     /* 0: there is none */
  int line;      /* a socket: jobs go out, codes come in */
  int fds[3];    /* out, err, facts of the job at hand */
  bool busy;
  size_t job;
  size_t served; /* jobs before this one */
  unsigned inheritance; /* of the batch when it was forked */
  clockid_t processor;  /* its processor time, where has_processor */
  bool has_processor;
  long long began;      /* ms, this job */
  long long used;       /* ms of processor time before this job */
  long long terminated; /* ms when it was told to end; 0: not yet */
  char *failure;        /* why it was told to */
  bool late;            /* that was the time */
} worker;

typedef struct finished {
  bool ready;
  pl_outcome outcome;
  char *failure; /* owned; the outcome's */
} finished;

typedef struct pool {
  const pl_batch *batch;
  worker *workers;
  int nworkers, running;
  finished *finished;
  size_t next, shown; /* jobs to start, to hand over */
  bool prepared;
} pool;

static long long clock_ms(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static long long now_ms(void) { return clock_ms(CLOCK_MONOTONIC); }

/* All threads of the process; 0 where that cannot be known. */
static long long processor_ms(const worker *w) {
  return w->has_processor ? clock_ms(w->processor) : 0;
}

static pl_bytes whole_file(int fd) {
  struct stat at;
  off_t size = fstat(fd, &at) == 0 ? at.st_size : 0;
  pl_bytes bytes = {pl_alloc((size_t)size + 1, 1), 0};
  for (ssize_t n; bytes.size < (size_t)size; bytes.size += (size_t)n)
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

/* ---- the worker's side --------------------------------------------------- */

/* Whole or not at all: false where the other side is gone. */
static bool send_number(int line, size_t number) {
  ssize_t n;
  do
    n = send(line, &number, sizeof number, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof number;
}

static bool receive_number(int line, size_t *number) {
  ssize_t n;
  do
    n = recv(line, number, sizeof *number, MSG_WAITALL);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof *number;
}

/* An empty file to write to. */
static FILE *emptied(int fd) {
  int own = dup(fd);
  if (own < 0 || ftruncate(own, 0) != 0 || lseek(own, 0, SEEK_SET) != 0)
    _exit(2);
  FILE *file = fdopen(own, "w");
  if (!file)
    _exit(2);
  return file;
}

static int do_job(const pl_batch *batch, size_t job, const int fds[3]) {
  pl_job_files files = {emptied(fds[0]), emptied(fds[1]), emptied(fds[2])};
  int code = batch->work(batch->context, job, files);
  bool kept = fclose(files.out) == 0;
  kept &= fclose(files.err) == 0;
  kept &= fclose(files.facts) == 0;
  if (!kept)
    _exit(2);
  return code;
}

/* A parent that dies, by kill -9 too, takes its workers along, and the handler
 * of SIGTERM removes their temporary files. */
static _Noreturn void be_worker(const pool *p, const worker *w, int line,
                                pid_t parent) {
  const pl_batch *batch = p->batch;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(2);
  if (nowhere >= 0)
    dup2(nowhere, STDOUT_FILENO); /* products have files: no flag prints there */
  if (batch->prepare && !p->prepared)
    batch->prepare();
  for (size_t job; receive_number(line, &job) && job < batch->count;)
    if (!send_number(line, (size_t)do_job(batch, job, w->fds)))
      break;
  _exit(0);
}

/* ---- the parent's side --------------------------------------------------- */

static bool open_files(int fds[3]) {
  for (int i = 0; i < 3; i++)
    fds[i] = memfd_create("pipelinify", MFD_CLOEXEC);
  return fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0;
}

static void close_all(const worker *w) {
  for (int i = 0; i < 3; i++)
    if (w->fds[i] >= 0)
      close(w->fds[i]);
  if (w->line >= 0)
    close(w->line);
}

static unsigned inheritance(const pl_batch *batch) {
  return batch->inheritance ? batch->inheritance(batch->context) : 0;
}

static bool start_worker(pool *p, worker *w) {
  int lines[2] = {-1, -1};
  if (p->batch->prepare && p->batch->count > 1 && !p->prepared) {
    p->batch->prepare();
    p->prepared = true;
  }
  pid_t parent = getpid();
  *w = (worker){.line = -1, .inheritance = inheritance(p->batch)};
  bool open = open_files(w->fds) &&
              socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines) == 0;
  fflush(NULL);
  pid_t pid = open ? fork() : -1;
  if (pid == 0)
    be_worker(p, w, lines[1], parent);
  int reason = errno;
  w->line = lines[0];
  if (lines[1] >= 0)
    close(lines[1]);
  if (pid > 0) {
    w->pid = pid;
    w->has_processor = clock_getcpuclockid(pid, &w->processor) == 0;
  } else {
    close_all(w);
  }
  errno = reason;
  return pid > 0;
}

static int wait_for_worker(const worker *w) {
  int status = 0;
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

/* A number that is no job's makes it leave. */
static void end_worker(const pool *p, worker *w) {
  send_number(w->line, p->batch->count);
  wait_for_worker(w);
  close_all(w);
  w->pid = 0;
}

static worker *idle_worker(pool *p) {
  worker *fresh = NULL;
  for (int i = 0; i < p->nworkers; i++) {
    worker *w = &p->workers[i];
    if (w->pid && !w->busy)
      return w;
    if (!w->pid)
      fresh = w;
  }
  return fresh;
}

/* Whether it has done its share, or lacks what the batch has got since. */
static bool is_used_up(const pool *p, const worker *w) {
  return w->served >= JOBS_A_WORKER || w->inheritance != inheritance(p->batch);
}

static void give(pool *p, worker *w, size_t job) {
  if (!w->pid && !start_worker(p, w)) {
    finish(p, job, (pl_outcome){0},
           pl_format("no process could be started for it: %s",
                     strerror(errno)));
    return;
  }
  if (p->batch->provide)
    p->batch->provide(p->batch->context, job);
  w->job = job;
  w->began = now_ms();
  w->used = processor_ms(w);
  w->busy = true;
  p->running++;
  send_number(w->line, job);
}

static void give_to_one(pool *p, size_t job) {
  worker *w = idle_worker(p);
  if (w->pid && is_used_up(p, w))
    end_worker(p, w);
  give(p, w, job);
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
    give_to_one(p, job);
}

static char *crash_sentence(int status) {
  int number = WTERMSIG(status);
  return pl_format("crashed (%s)", strsignal(number));
}

/* Without facts a job came to no end: memory was out, say. */
static char *failure_of(int status) {
  return WIFEXITED(status) ? pl_format("came to no end (exit code %d)",
                                       WEXITSTATUS(status))
                           : crash_sentence(status);
}

static void hand_in(pool *p, worker *w, int code, char *failure) {
  finish(p, w->job,
         (pl_outcome){.code = code, .out = whole_file(w->fds[0]),
                      .err = whole_file(w->fds[1]),
                      .facts = whole_file(w->fds[2])},
         failure);
  w->busy = false;
  w->served++;
  p->running--;
}

/* The worker is gone. What becomes of a process that did other jobs before is
 * no verdict on this one: it gets a new one. Time is its own, though. */
static void bury(pool *p, worker *w) {
  int status = wait_for_worker(w);
  bool again = w->served > 0 && !w->late;
  char *failure = w->failure ? w->failure : failure_of(status);
  if (!again)
    hand_in(p, w, 0, failure);
  close_all(w);
  w->pid = 0;
  if (again) {
    free(failure);
    p->running--;
    give(p, w, w->job);
  }
}

/* One that was told to end, and came to the end of its job before it heard. */
static void let_go(pool *p, worker *w) {
  (void)p;
  wait_for_worker(w);
  close_all(w);
  free(w->failure);
  w->pid = 0;
}

/* Its code came, or its end. A job without facts came to no end. */
static void hear(pool *p, worker *w) {
  size_t code;
  if (!receive_number(w->line, &code)) {
    bury(p, w);
    return;
  }
  hand_in(p, w, (int)code, NULL);
  if (w->terminated)
    let_go(p, w);
  else if (code > LAST_GOOD_CODE)
    end_worker(p, w);
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

/* What a limit of processor time does not see: a job that waits for ever. */
static bool sleeps(const pool *p, const worker *w) {
  long long limit = p->batch->timeout * 1000 * WALL_FACTOR;
  return limit && now_ms() - w->began >= limit;
}

/* A busy machine makes no job late: time that others had is not counted. */
static bool is_late(const pool *p, const worker *w) {
  long long limit = p->batch->timeout * 1000;
  return limit && processor_ms(w) - w->used >= limit;
}

static char *excess(const pool *p, worker *w) {
  const pl_batch *batch = p->batch;
  bool late = is_late(p, w);
  w->late = late || sleeps(p, w);
  if (late)
    return pl_format("took more than %lld s of processor time (--timeout)",
                     batch->timeout);
  if (w->late)
    return pl_format("took more than %lld s, ten times its processor time "
                     "(--timeout)",
                     batch->timeout * WALL_FACTOR);
  if (batch->max_memory && resident(w->pid) > batch->max_memory)
    return pl_format("took more than %lld MiB of memory (--max-memory)",
                     (long long)batch->max_memory >> 20);
  return NULL;
}

/* SIGTERM first, so that no temporary file stays; then SIGKILL. */
static void enforce_limits(pool *p, worker *w) {
  if (w->terminated && now_ms() - w->terminated > GRACE_MS)
    kill(w->pid, SIGKILL);
  if (w->terminated)
    return;
  w->failure = excess(p, w);
  if (w->failure) {
    w->terminated = now_ms();
    kill(w->pid, SIGTERM);
  }
}

static void wait_for_one(pool *p) {
  struct pollfd *lines = pl_alloc((size_t)p->nworkers, sizeof *lines);
  bool limited = p->batch->timeout || p->batch->max_memory;
  for (int i = 0; i < p->nworkers; i++)
    lines[i] = (struct pollfd){
        .fd = p->workers[i].busy ? p->workers[i].line : -1, .events = POLLIN};
  if (poll(lines, (nfds_t)p->nworkers, limited ? POLL_MS : -1) < 0)
    for (int i = 0; i < p->nworkers; i++)
      lines[i].revents = 0;
  for (int i = 0; i < p->nworkers; i++)
    if (lines[i].revents)
      hear(p, &p->workers[i]);
    else if (p->workers[i].busy)
      enforce_limits(p, &p->workers[i]);
  free(lines);
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

void pl_batch_run(const pl_batch *batch) {
  pool p = {.batch = batch, .nworkers = batch->jobs ? batch->jobs : cores()};
  p.workers = pl_alloc((size_t)p.nworkers, sizeof *p.workers);
  p.finished = pl_alloc(batch->count, sizeof *p.finished);
  signal(SIGCHLD, SIG_DFL);
  while (p.shown < batch->count) {
    while (p.running < p.nworkers && p.next < batch->count) {
      start(&p);
      show_ready(&p);
    }
    if (p.running)
      wait_for_one(&p);
    show_ready(&p);
  }
  for (int i = 0; i < p.nworkers; i++)
    if (p.workers[i].pid)
      end_worker(&p, &p.workers[i]);
  free(p.workers);
  free(p.finished);
}
