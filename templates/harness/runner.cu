/* runner.cu - proves and times the kernels of a bundle.
 *
 *   runner validate PLAN LAUNCH ORIGINAL FORM LABEL OUT
 *   runner sanitize PLAN LAUNCH FORM LABEL
 *   runner bench    PLAN LAUNCH OUT LABEL=OBJECT...     (the original first)
 *   runner report   BUNDLE BUILD RESULTS OUT
 *   runner device
 *
 * Objects are shared objects, OUT takes lines of `name=value`. validate and
 * bench work in a child process: a kernel that crashes or hangs costs its own
 * case alone. PL_REPEATS and PL_TIMEOUT change the defaults. */
#include "pl_bench.cuh"
#include "pl_report.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int number_from(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text && atoi(text) > 0 ? atoi(text) : otherwise;
}

/* Lines that appear as a whole file or not at all. */
struct Lines {
  std::string path, text;

  void add(const char *name, const std::string &value) {
    std::string line = value;
    for (char &c : line)
      if (c == '\n')
        c = ' ';
    text += std::string(name) + "=" + line + "\n";
  }
  void add_number(const char *name, double value) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.9g", value);
    add(name, digits);
  }
  void write() {
    std::string part = path + ".part";
    FILE *f = fopen(part.c_str(), "w");
    if (!f || fwrite(text.data(), 1, text.size(), f) != text.size() ||
        fclose(f) || rename(part.c_str(), path.c_str()))
      perror(path.c_str());
  }
};

/* --- processes ----------------------------------------------------------- */

static char *shared_text() {
  void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : (char *)p;
}

static double seconds_now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for a child; "" where it ended by itself with success. */
static std::string wait_for(pid_t child, double seconds) {
  double end = seconds_now() + seconds;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (seconds_now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "timeout";
    }
    usleep(5000);
  }
  bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return fine ? "" : "crash";
}

static void require_plan(const char *path, int launch, Plan *plan) {
  if (!read_plan(path, launch, plan))
    throw Failure{"harness-error", std::string("cannot read ") + path};
}

/* --- validate ------------------------------------------------------------ */

static void add_facts(Lines *out, const Form &form, const SizeSet &set) {
  pl_facts f = {};
  pl_shape shape = shape_of(set, form.label);
  if (form.kernel.facts(form.kernel.function, &shape, &f))
    return;
  out->add("function", f.name);
  out->add_number("registers", f.registers);
  out->add_number("local", f.local_bytes);
  out->add_number("static_smem", f.static_smem);
  out->add_number("dynamic_smem", (double)shape.smem);
  out->add_number("blocks", f.blocks_per_sm);
  out->add_number("threads", (double)shape.block[0] * shape.block[1] *
                                 shape.block[2]);
}

static const SizeSet *facts_set(const Plan &plan) {
  const SizeSet *best = heaviest(plan);
  for (const SizeSet &s : plan.sets)
    if (s.is_target)
      best = &s;
  return best;
}

static void validate_objects(char **w, char *where, Lines *out) {
  int launch = atoi(w[1]), sets = 0;
  try {
    Plan plan;
    Session session;
    ValidateOptions options;
    options.where = where;
    options.repeats = number_from("PL_REPEATS", options.repeats);
    require_plan(w[0], launch, &plan);
    open_session(&session, false);
    Form original = load_form("original", w[2], launch);
    Form form = load_form(w[4], w[3], launch);
    if (const SizeSet *set = facts_set(plan))
      add_facts(out, form, *set);
    validate(&session, plan, original, form, options, &sets);
    out->add("verdict", sets ? "equal" : "no-size-set");
  } catch (const Failure &f) {
    out->add("verdict", f.verdict);
    out->add("detail", f.detail);
  }
  out->add_number("sets", sets);
  out->write();
}

static int do_validate(char **w) {
  Lines out = {w[5], ""};
  char *where = shared_text();
  pid_t child = fork();
  if (child == 0) {
    validate_objects(w, where, &out);
    _exit(0);
  }
  std::string end = wait_for(child, number_from("PL_TIMEOUT", 120));
  if (!end.empty()) {
    out.add("verdict", end);
    out.add("detail", where && *where ? std::string("[") + where + "]" : "");
    out.write();
  }
  return 0;
}

/* --- sanitize ------------------------------------------------------------ */

/* The set with the fewest blocks: tools that watch every access are slow. */
static const SizeSet *lightest(const Plan &plan) {
  const SizeSet *best = NULL;
  double least = 0;
  for (const SizeSet &s : plan.sets) {
    double elements = 0;
    for (const Argument &a : s.args)
      elements += is_buffer(a) ? (double)a.count : 0;
    if (s.is_target || elements == 0)
      continue;
    double weight = blocks_of(s) * 1e12 - elements;
    if (!best || weight < least) {
      best = &s;
      least = weight;
    }
  }
  return best;
}

/* Inputs by memset-free copies, outputs left as they are allocated. */
static int do_sanitize(char **w) {
  int launch = atoi(w[1]);
  try {
    Plan plan;
    Session session;
    require_plan(w[0], launch, &plan);
    open_session(&session, true);
    Form form = load_form(w[3], w[2], launch);
    const SizeSet *set = lightest(plan);
    if (!set)
      return 0;
    Case c = make_case(&session.pool, *set, form);
    refresh(&c, 1, session.stream);
    run(form, c, session.stream);
    return 0;
  } catch (const Failure &f) {
    fprintf(stderr, "%s: %s\n", f.verdict.c_str(), f.detail.c_str());
    return 2;
  }
}

/* --- bench --------------------------------------------------------------- */

static void add_timed(Lines *out, const Timed &t, const SizeSet &set) {
  double ms = median(t.ms);
  out->add("form", t.form.label);
  out->add("target", t.equal ? "equal" : "differs");
  if (!t.equal)
    out->add("target_detail", t.detail + " [" + set.text + "]");
  add_facts(out, t.form, set);
  out->add_number("ms", ms);
  out->add_number("ms_min", *std::min_element(t.ms.begin(), t.ms.end()));
  out->add_number("ms_max", *std::max_element(t.ms.begin(), t.ms.end()));
  out->add_number("rounds", (double)t.ms.size());
  out->add_number("batch", t.batch);
  if (set.flops > 0)
    out->add_number("gflops", set.flops / ms * 1e-6);
  if (set.bytes > 0)
    out->add_number("gbs", set.bytes / ms * 1e-6);
}

struct Objects {
  std::vector<std::string> labels, paths;
};

static Objects read_objects(char **w) {
  Objects o;
  for (; *w; w++) {
    const char *equal = strchr(*w, '=');
    if (!equal)
      continue;
    o.labels.push_back(std::string(*w, (size_t)(equal - *w)));
    o.paths.push_back(equal + 1);
  }
  return o;
}

static void time_objects(const Plan &plan, const SizeSet &set, int launch,
                         const Objects &o, char *where, Lines *out) {
  Session session;
  BenchOptions options;
  open_session(&session, false);
  std::vector<Timed> forms;
  for (size_t i = 0; i < o.labels.size(); i++)
    forms.push_back({load_form(o.labels[i], o.paths[i].c_str(), launch), false,
                     "", 1, {}});
  if (where)
    snprintf(where, 256, "%s", set.text.c_str());
  bench(&session, set, &forms, options);
  out->add("sizes", set.text);
  for (const Timed &t : forms)
    add_timed(out, t, set);
}

static const SizeSet *target_of(const Plan &plan) {
  for (const SizeSet &s : plan.sets)
    if (s.is_target)
      return &s;
  return NULL;
}

/* In the child. A form that crashes is named to the parent by `where`. */
static void bench_objects(char **w, const Objects &o, char *where,
                          Lines *out) {
  int launch = atoi(w[1]);
  try {
    Plan plan;
    require_plan(w[0], launch, &plan);
    if (const SizeSet *set = target_of(plan))
      time_objects(plan, *set, launch, o, where, out);
    else
      out->add("error", "no target sizes");
  } catch (const Failure &f) {
    if (where && f.verdict == "crash")
      snprintf(where + 256, 256, "%s", f.detail.c_str());
    out->add("error", f.verdict + ": " + f.detail);
  }
  out->write();
}

/* Leaves out the form whose crash the child has told of. */
static bool drop_crashed(Objects *o, const char *told) {
  for (size_t i = 1; i < o->labels.size(); i++) {
    std::string begin = o->labels[i] + " [";
    if (strncmp(told, begin.c_str(), begin.size()) != 0)
      continue;
    o->labels.erase(o->labels.begin() + (long)i);
    o->paths.erase(o->paths.begin() + (long)i);
    return true;
  }
  return false;
}

static int do_bench(char **w) {
  Objects objects = read_objects(w + 3);
  char *where = shared_text();
  std::string crashed;
  do {
    memset(where, 0, 512);
    Lines out = {w[2], crashed};
    pid_t child = fork();
    if (child == 0) {
      bench_objects(w, objects, where, &out);
      _exit(0);
    }
    std::string end = wait_for(child, number_from("PL_TIMEOUT", 120));
    if (!end.empty()) {
      out.add("error", end + " [" + where + "]");
      out.write();
      return 0;
    }
    crashed += where[256] ? std::string("crashed=") + (where + 256) + "\n" : "";
  } while (where[256] && drop_crashed(&objects, where + 256));
  return 0;
}

/* --- the whole ----------------------------------------------------------- */

static int do_device() {
  cudaDeviceProp p;
  int runtime = 0, driver = 0, device = 0;
  if (cudaGetDevice(&device) || cudaGetDeviceProperties(&p, device))
    return 4;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  printf("name=%s\narch=sm_%d%d\nprocessors=%d\nl2=%d\nmemory=%zu\n"
         "cuda=%d.%d\ndriver=%d.%d\n",
         p.name, p.major, p.minor, p.multiProcessorCount, p.l2CacheSize,
         p.totalGlobalMem, runtime / 1000, runtime % 1000 / 10, driver / 1000,
         driver % 1000 / 10);
  return 0;
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  char **w = argv + 2;
  if (mode == "validate" && argc == 8)
    return do_validate(w);
  if (mode == "sanitize" && argc == 6)
    return do_sanitize(w);
  if (mode == "bench" && argc > 5)
    return do_bench(w);
  if (mode == "report" && argc == 6)
    return report(w[0], w[1], w[2], w[3]);
  if (mode == "device")
    return do_device();
  fprintf(stderr, "runner: see the head of runner.cu\n");
  return 2;
}
