/* runner.cu - proves and times the kernels of a bundle.
 *
 *   runner validate PLAN LAUNCH RESULTS LABEL=OBJECT...   (the original first)
 *   runner bench    PLAN LAUNCH RESULTS LABEL=OBJECT...
 *   runner sanitize PLAN LAUNCH LABEL=OBJECT
 *   runner check    PLAN LAUNCH LABEL=OBJECT...           (needs no GPU)
 *   runner report   BUNDLE BUILD RESULTS OUT
 *   runner device                                         (the first one)
 *   runner devices                             (ordinal, name, UUID, a line each)
 *
 * Objects are shared objects. RESULTS is how the names of files begin that take
 * lines of `name=value`: RESULTS.LABEL.validate, RESULTS.bench. Both work in a
 * child process, which is replaced when it dies: a kernel that crashes or hangs
 * costs its own case alone. PL_REPEATS, PL_TIMEOUT and PL_SEED change the defaults,
 * PL_SIZES names the only set of sizes that is validated. */
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

/* What a child tells its parent while it works. */
struct Progress {
  int form; /* at work, by its place on the command line */
  double since;
  char where[256], crash[256];
};

static Progress *shared_progress() {
  void *p = mmap(NULL, sizeof(Progress), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    perror("mmap");
    exit(2);
  }
  return (Progress *)p;
}

static double seconds_now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin_form(Progress *p, size_t form) {
  p->form = (int)form;
  p->since = seconds_now();
  p->where[0] = 0;
}

/* How a child ends. */
enum { FINE = 0, GPU_LOST = 1, CANNOT_WORK = 2 };

/* Waits for a child; "" where it ended by itself with success. */
static std::string wait_for(pid_t child, const Progress *p) {
  double most = number_from("PL_TIMEOUT", 120);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (seconds_now() > p->since + most) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "timeout";
    }
    usleep(5000);
  }
  if (!WIFEXITED(status))
    return "crash";
  int code = WEXITSTATUS(status);
  return code == FINE ? "" : code == CANNOT_WORK ? "harness-error" : "crash";
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

/* What one child works with. */
struct Validator {
  Plan plan;
  Session session;
  ValidateOptions options;
  Form original;
  const Objects *objects;
  const char *results;
  int launch;
};

static std::string validate_path(const char *results, const Objects &o,
                                 size_t form) {
  return std::string(results) + "." + o.labels[form] + ".validate";
}

static void validate_form(Validator *v, size_t i) {
  Lines out = {validate_path(v->results, *v->objects, i), ""};
  int sets = 0;
  try {
    Form form = load_form(v->objects->labels[i], v->objects->paths[i].c_str(),
                          v->launch);
    if (const SizeSet *set = facts_set(v->plan))
      add_facts(&out, form, *set);
    validate(&v->session, v->plan, v->original, form, v->options, &sets);
    out.add("verdict", sets ? "equal" : "no-size-set");
  } catch (const Failure &f) {
    out.add("verdict", f.verdict);
    out.add("detail", f.detail);
  }
  out.add_number("sets", sets);
  out.write();
}

static void open_validator(Validator *v, char **w, const Objects *o) {
  v->launch = atoi(w[1]);
  v->results = w[2];
  v->objects = o;
  v->options.repeats = number_from("PL_REPEATS", v->options.repeats);
  v->options.only_sizes = getenv("PL_SIZES");
  if (const char *seed = getenv("PL_SEED"))
    v->options.seed = strtoull(seed, NULL, 10);
  require_plan(w[0], v->launch, &v->plan);
  open_session(&v->session, false);
  v->original = load_form("original", o->paths[0].c_str(), v->launch);
}

/* In the child: the forms from `first` on, while the GPU obeys. The exit code
 * says whether all were done. */
static int validate_from(char **w, const Objects &o, size_t first,
                         Progress *progress) {
  Validator v;
  try {
    open_validator(&v, w, &o);
  } catch (const Failure &f) {
    snprintf(progress->where, sizeof progress->where, "%s", f.detail.c_str());
    return CANNOT_WORK;
  }
  v.options.where = progress->where;
  for (size_t i = first; i < o.labels.size(); i++) {
    begin_form(progress, i);
    validate_form(&v, i);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return GPU_LOST;
  }
  return FINE;
}

/* The word for a form whose child did not live to write it. */
static void write_end(const std::string &path, const std::string &end,
                      const Progress *p) {
  if (exists(path))
    return;
  Lines out = {path, ""};
  out.add("verdict", end);
  if (p->where[0])
    out.add("detail", std::string("[") + p->where + "]");
  out.write();
}

static int do_validate(char **w) {
  Objects objects = read_objects(w + 3);
  Progress *progress = shared_progress();
  size_t next = 1;
  while (next < objects.labels.size()) {
    begin_form(progress, next);
    pid_t child = fork();
    if (child == 0)
      _exit(validate_from(w, objects, next, progress));
    std::string end = wait_for(child, progress);
    if (end.empty())
      return 0;
    next = (size_t)progress->form;
    write_end(validate_path(w[2], objects, next), end, progress);
    next++;
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

/* One run; every buffer is an allocation of its own, without room behind it. A kernel
 * that does not end there ends the process, since the tools would wait for ever. */
static int do_sanitize(char **w) {
  int launch = atoi(w[1]);
  alarm(5 * (unsigned)number_from("PL_TIMEOUT", 120));
  Objects o = read_objects(w + 2);
  try {
    Plan plan;
    Session session;
    require_plan(w[0], launch, &plan);
    open_session(&session, true);
    Form form = load_form(o.labels[0], o.paths[0].c_str(), launch);
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

/* --- check --------------------------------------------------------------- */

/* Do the descriptions fit the kernels? Says what does not. */
static int do_check(char **w) {
  Objects o = read_objects(w + 2);
  int launch = atoi(w[1]), bad = 0;
  for (size_t i = 0; i < o.labels.size(); i++)
    try {
      Plan plan;
      require_plan(w[0], launch, &plan);
      Form form = load_form(o.labels[i], o.paths[i].c_str(), launch);
      for (const SizeSet &set : plan.sets)
        check_signature(form, set);
    } catch (const Failure &f) {
      printf("%s %d %s: %s: %s\n", w[0], launch, o.labels[i].c_str(),
             f.verdict.c_str(), f.detail.c_str());
      bad = 3;
    }
  return bad;
}

/* --- devices ------------------------------------------------------------- */

/* "GPU-1b9c...", as nvidia-smi spells it. */
static std::string uuid_of(const cudaDeviceProp &p) {
  std::string text = "GPU";
  for (int i = 0; i < 16; i++) {
    char digits[4];
    bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    snprintf(digits, sizeof digits, "%s%02x", dash ? "-" : "",
             (unsigned char)p.uuid.bytes[i]);
    text += digits;
  }
  return text;
}

/* Of the device at work. */
static std::string my_uuid() {
  cudaDeviceProp p;
  int device = 0;
  if (cudaGetDevice(&device) || cudaGetDeviceProperties(&p, device))
    return "";
  return uuid_of(p);
}

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

static int do_devices() {
  int n = 0;
  if (cudaGetDeviceCount(&n))
    return 4;
  for (int i = 0; i < n; i++) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, i) == cudaSuccess)
      printf("%d\t%s\t%s\n", i, p.name, uuid_of(p).c_str());
  }
  return 0;
}

/* --- bench --------------------------------------------------------------- */

static void add_timed(Lines *out, const Timed &t, const SizeSet &set) {
  double ms = median(t.ms);
  out->add("form", t.form.label);
  if (!is_side(t.form.label))
    out->add("target", t.equal ? "equal" : "differs");
  if (!t.equal)
    out->add("target_detail", t.detail + " [" + set.text + "]");
  add_facts(out, t.form, set);
  if (t.ms.empty())
    return;
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

static void time_objects(const SizeSet &set, int launch, const Objects &o,
                         Progress *progress, Lines *out) {
  Session session;
  BenchOptions options;
  open_session(&session, false);
  options.begin = [progress](size_t form) {
    progress->form = (int)form;
    progress->since = seconds_now();
  };
  std::vector<Timed> forms;
  for (size_t i = 0; i < o.labels.size(); i++)
    forms.push_back({load_form(o.labels[i], o.paths[i].c_str(), launch), false,
                     "", 1, {}});
  snprintf(progress->where, sizeof progress->where, "%s", set.text.c_str());
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

/* In the child. A form that crashes is named to the parent. */
static void bench_objects(char **w, const Objects &o, Progress *progress,
                          Lines *out) {
  int launch = atoi(w[1]);
  out->add("gpu", my_uuid());
  try {
    Plan plan;
    require_plan(w[0], launch, &plan);
    if (const SizeSet *set = target_of(plan))
      time_objects(*set, launch, o, progress, out);
    else
      out->add("error", "no target sizes");
  } catch (const Failure &f) {
    if (f.verdict == "crash")
      snprintf(progress->crash, sizeof progress->crash, "%s",
               f.detail.c_str());
    out->add("error", f.verdict + ": " + f.detail);
  }
  out->write();
}

static void drop(Objects *o, size_t i) {
  o->labels.erase(o->labels.begin() + (long)i);
  o->paths.erase(o->paths.begin() + (long)i);
}

/* Leaves out the form whose crash the child has told of. Its label, or "". */
static std::string drop_crashed(Objects *o, const char *told) {
  for (size_t i = 1; i < o->labels.size(); i++) {
    std::string label = o->labels[i], begin = label + " [";
    if (strncmp(told, begin.c_str(), begin.size()) != 0)
      continue;
    drop(o, i);
    return label;
  }
  return "";
}

/* A kernel with one side alone may hang; the forms are timed without it. */
static std::string drop_side(Objects *o, const Progress *p) {
  size_t i = (size_t)p->form;
  std::string label = i < o->labels.size() ? o->labels[i] : "";
  if (!is_side(label))
    return "";
  drop(o, i);
  return label;
}

/* "crashed-ldg=...", where the report looks for why a form has no time. */
static std::string crash_line(const std::string &label,
                              const std::string &text) {
  return label.empty() ? "" : "crashed-" + label + "=" + text + "\n";
}

static int do_bench(char **w) {
  Objects objects = read_objects(w + 3);
  Progress *progress = shared_progress();
  std::string crashes, dropped;
  do {
    progress->crash[0] = 0;
    begin_form(progress, 0);
    Lines out = {std::string(w[2]) + ".bench", crashes};
    pid_t child = fork();
    if (child == 0) {
      bench_objects(w, objects, progress, &out);
      _exit(0);
    }
    std::string end = wait_for(child, progress), told = progress->crash;
    if (!end.empty()) {
      told = end + " [" + progress->where + "]";
      out.add("error", told);
      out.write();
    }
    dropped = end.empty() ? drop_crashed(&objects, told.c_str())
                          : drop_side(&objects, progress);
    crashes += crash_line(dropped, told);
  } while (!dropped.empty());
  return 0;
}

/* --- the whole ----------------------------------------------------------- */

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  char **w = argv + 2;
  if (mode == "validate" && argc > 5)
    return do_validate(w);
  if (mode == "sanitize" && argc == 5)
    return do_sanitize(w);
  if (mode == "check" && argc > 4)
    return do_check(w);
  if (mode == "bench" && argc > 5)
    return do_bench(w);
  if (mode == "report" && argc == 6)
    return report(w[0], w[1], w[2], w[3]);
  if (mode == "device")
    return do_device();
  if (mode == "devices")
    return do_devices();
  fprintf(stderr, "runner: its uses stand at the head of runner.cu\n");
  return 2;
}
