/* pl_report.h - puts what the processes left together: a table, results.json.
 *
 *   cases/ID/pairs           a line a launch and form, words between tabs:
 *                            launch, form, stages, copy bytes, auto, kernel,
 *                            barriers a tile before and after, 0: not known
 *   cases/ID/sides           a line a launch and kernel with one side alone:
 *                            launch, form, kernel
 *   BUILD/ID/FORM.so .log    what the compiler made and said
 *   BUILD/ID/FORM.res        what cuobjdump -res-usage says, where it had to
 *   RESULTS/ID.LAUNCH.FORM.validate .sanitize, RESULTS/ID.LAUNCH.bench
 *                            lines of name=value */
#ifndef PL_REPORT_H
#define PL_REPORT_H

#include "pl_resources.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

typedef std::map<std::string, std::string> Values;

/* One launch of one form, with all that is known about it. */
struct Row {
  std::string id, launch, form, stages, copy_bytes, kernel;
  bool chosen; /* by the cost model */
  int old_barriers, barriers; /* a tile; 0: not known */
  Values validate, timed, original;
  double loads, compute; /* ms of each side alone; -1: not timed */
  Values sanitize, sanitize_original;
  std::string verdict, detail;
  std::string gpu; /* that it was timed on */
};

static std::string read_text(const std::string &path) {
  std::string text;
  FILE *f = fopen(path.c_str(), "r");
  char buffer[4096];
  size_t n;
  while (f && (n = fread(buffer, 1, sizeof buffer, f)) > 0)
    text.append(buffer, n);
  if (f)
    fclose(f);
  return text;
}

static std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts;
  size_t from = 0, to;
  while ((to = text.find(at, from)) != std::string::npos) {
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  if (from < text.size())
    parts.push_back(text.substr(from));
  return parts;
}

/* name=value lines; `begin` starts a new group at each line of that name. */
static std::vector<Values> read_groups(const std::string &path,
                                       const std::string &begin) {
  std::vector<Values> groups(1);
  for (const std::string &line : split(read_text(path), '\n')) {
    size_t equal = line.find('=');
    if (equal == std::string::npos)
      continue;
    std::string name = line.substr(0, equal);
    if (name == begin)
      groups.push_back(Values());
    groups.back()[name] = line.substr(equal + 1);
  }
  return groups;
}

static std::string get(const Values &v, const char *name) {
  Values::const_iterator found = v.find(name);
  return found == v.end() ? "" : found->second;
}

static double get_number(const Values &v, const char *name) {
  std::string text = get(v, name);
  return text.empty() ? -1 : atof(text.c_str());
}

static bool exists(const std::string &path) {
  return access(path.c_str(), R_OK) == 0;
}

/* The compiler's first error. */
static std::string first_error(const std::string &log) {
  for (const std::string &line : split(read_text(log), '\n'))
    if (line.find("error") != std::string::npos ||
        line.find("fatal") != std::string::npos)
      return line;
  return "see " + log;
}

/* What compiler or cuobjdump said of a kernel in one object. */
static Resources said_of(const std::string &object, const Values &facts,
                         const std::string &kernel) {
  std::vector<Resources> all = read_ptxas(read_text(object + ".log"));
  if (all.empty())
    all = read_res_usage(read_text(object + ".res"));
  return resources_of(all, get(facts, "function"), kernel);
}

/* The runtime's word, where a GPU was there to ask. */
static double registers_of(const Values &facts, const Resources &said) {
  double registers = get_number(facts, "registers");
  return registers >= 0 ? registers : said.registers;
}

struct Places {
  std::string bundle, build, results;

  std::string object(const std::string &id, const std::string &form) const {
    return build + "/" + id + "/" + form;
  }
  std::string result(const Row &r, const std::string &form) const {
    return results + "/" + r.id + "." + r.launch +
           (form.empty() ? "" : "." + form);
  }
};

static void judge(const Places &p, Row *r) {
  std::string object = p.object(r->id, r->form);
  std::string original = p.object(r->id, "original");
  bool is_asked = exists(original + ".so") || exists(original + ".log");
  if (!is_asked) {
    r->verdict = "not-run";
  } else if (!exists(original + ".so")) {
    r->verdict = "original-build-failed";
    r->detail = first_error(original + ".log");
  } else if (!exists(object + ".so")) {
    r->verdict = "build-failed";
    r->detail = first_error(object + ".log");
  } else if (r->validate.empty()) {
    r->verdict = "not-run";
  } else {
    r->verdict = get(r->validate, "verdict");
    r->detail = get(r->validate, "detail");
  }
}

/* Target sizes are compared too, before they are timed. */
static void judge_target(Row *r, const Values &head) {
  std::string crashed = get(head, ("crashed-" + r->form).c_str());
  if (r->verdict == "equal" && !crashed.empty()) {
    r->verdict = "crash";
    r->detail = crashed;
  }
  if (r->verdict == "equal" && get(r->timed, "target") == "differs") {
    r->verdict = "differs";
    r->detail = get(r->timed, "target_detail");
  }
  if (r->detail.empty() && r->timed.empty())
    r->detail = get(head, "error");
}

/* The figures of a form; none where it has no group. */
static Values group_of(const std::vector<Values> &timed,
                       const std::string &form) {
  for (size_t i = 1; i < timed.size(); i++)
    if (get(timed[i], "form") == form)
      return timed[i];
  return Values();
}

static void read_results(const Places &p, Row *r) {
  r->validate = read_groups(p.result(*r, r->form) + ".validate", "")[0];
  r->sanitize = read_groups(p.result(*r, r->form) + ".sanitize", "")[0];
  r->sanitize_original =
      read_groups(p.result(*r, "original") + ".sanitize", "")[0];
  std::vector<Values> timed =
      read_groups(p.result(*r, "") + ".bench", "form");
  r->timed = group_of(timed, r->form);
  r->original = group_of(timed, "original");
  r->loads = get_number(group_of(timed, "loads-alone"), "ms");
  r->compute = get_number(group_of(timed, "compute-alone"), "ms");
  r->gpu = get(timed[0], "gpu");
  judge(p, r);
  judge_target(r, timed[0]);
}

static void read_pairs(const Places &p, const std::string &path,
                       std::vector<Row> *rows) {
  std::vector<std::string> parts = split(path, '/');
  std::string id = parts[parts.size() - 2];
  for (const std::string &line : split(read_text(path), '\n')) {
    std::vector<std::string> w = split(line, '\t');
    if (w.size() < 6)
      continue;
    Row r = {};
    r.id = id;
    r.launch = w[0];
    r.form = w[1];
    r.stages = w[2];
    r.copy_bytes = w[3];
    r.chosen = w[4] == "auto";
    r.kernel = w[5];
    r.old_barriers = w.size() > 7 ? atoi(w[6].c_str()) : 0;
    r.barriers = w.size() > 7 ? atoi(w[7].c_str()) : 0;
    read_results(p, &r);
    rows->push_back(r);
  }
}

/* Every case's file of that name, read by `read`. */
template <class T>
static std::vector<T> read_all(const Places &p, const char *file,
                               void (*read)(const Places &, const std::string &,
                                            std::vector<T> *)) {
  std::vector<T> all;
  glob_t found;
  if (glob((p.bundle + "/cases/*/" + file).c_str(), 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++)
      read(p, found.gl_pathv[i], &all);
    globfree(&found);
  }
  return all;
}

/* A launch with one side alone. */
struct Side {
  std::string id, launch, form, kernel;
  Values head, timed;
};

static void read_sides(const Places &p, const std::string &path,
                       std::vector<Side> *sides) {
  std::vector<std::string> parts = split(path, '/');
  for (const std::string &line : split(read_text(path), '\n')) {
    std::vector<std::string> w = split(line, '\t');
    if (w.size() < 3)
      continue;
    Side s = {parts[parts.size() - 2], w[0], w[1], w[2], {}, {}};
    std::vector<Values> timed = read_groups(
        p.results + "/" + s.id + "." + s.launch + ".bench", "form");
    s.head = timed[0];
    s.timed = group_of(timed, s.form);
    sides->push_back(s);
  }
}

/* --- JSON ---------------------------------------------------------------- */

static std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    char escape[8];
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if ((unsigned char)c < 32) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

static std::string number(double value) {
  char text[40];
  if (!(value >= 0) || !isfinite(value))
    return "null";
  snprintf(text, sizeof text, "%.6g", value);
  return text;
}

static std::string count_or_null(int n) {
  return n > 0 ? std::to_string(n) : "null";
}

/* A share may be negative; NAN where there is none. */
static std::string share(double value) {
  char text[40];
  snprintf(text, sizeof text, "%.4f", value);
  return isfinite(value) ? text : "null";
}

static std::string text_or_null(const std::string &text) {
  return text.empty() ? "null" : quoted(text);
}

static double speedup_of(const Row &r) {
  double before = get_number(r.original, "ms"), now = get_number(r.timed, "ms");
  return before > 0 && now > 0 ? before / now : -1;
}

/* What no overlap of these loads with this compute can beat, in ms; -1. */
static double bound_of(const Row &r) {
  return r.loads > 0 && r.compute > 0 ? fmax(r.loads, r.compute) : -1;
}

/* How much of that bound a form reaches. */
static double efficiency_of(const Row &r) {
  double now = get_number(r.timed, "ms"), bound = bound_of(r);
  return now > 0 && bound > 0 ? bound / now : -1;
}

/* Of what lies between the original and the bound, what a form gains. NAN where
 * that is less than noise. */
static double gain_share_of(const Row &r) {
  static const double least = 0.02;
  double before = get_number(r.original, "ms"), now = get_number(r.timed, "ms");
  double bound = bound_of(r);
  if (!(before > 0 && now > 0 && bound > 0) ||
      before - bound < least * before)
    return NAN;
  return (before - now) / (before - bound);
}

static const Values &facts_of(const Row &r) {
  return r.timed.empty() ? r.validate : r.timed;
}

static bool ends_with(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

static bool is_finding(const std::string &tool_said) {
  return ends_with(tool_said, " found");
}

static bool is_silent(const std::string &tool_said) {
  return tool_said != "clean" && !is_finding(tool_said);
}

/* "memcheck clean, racecheck 2 hazards"; what the original does too is said. */
static std::string sanitizer_of(const Row &r) {
  std::string text;
  for (const Values::value_type &v : r.sanitize) {
    bool before = is_finding(get(r.sanitize_original, v.first.c_str()));
    text += (text.empty() ? "" : ", ") + v.first + " " + v.second;
    text += is_finding(v.second) && before ? " (original too)" : "";
  }
  return text;
}

/* Did a tool find what it does not find in the original? */
static bool sanitizer_found(const Row &r) {
  for (const Values::value_type &v : r.sanitize)
    if (is_finding(v.second) &&
        !is_finding(get(r.sanitize_original, v.first.c_str())))
      return true;
  return false;
}

/* Was a tool asked that gave no answer? */
static bool sanitizer_open(const Row &r) {
  for (const Values::value_type &v : r.sanitize)
    if (is_silent(v.second))
      return true;
  return false;
}

static std::string object_or_null(const Values &values) {
  std::string text;
  for (const Values::value_type &v : values)
    text += (text.empty() ? "{" : ", ") + quoted(v.first) + ": " +
            quoted(v.second);
  return text.empty() ? "null" : text + "}";
}

struct Field {
  const char *name;
  std::string value;
};

static std::vector<Field> fields_of(const Places &p, const Row &r) {
  const Values &f = facts_of(r), &o = r.original;
  Resources said = said_of(p.object(r.id, r.form), f, r.kernel);
  Resources old = said_of(p.object(r.id, "original"), o, r.kernel);
  return {
      {"case", quoted(r.id)},
      {"kernel", quoted(r.kernel)},
      {"launch", r.launch},
      {"variant", quoted(r.form)},
      {"stages", r.stages},
      {"copy_bytes", "[" + r.copy_bytes + "]"},
      {"auto", r.chosen ? "true" : "false"},
      {"barriers_original", count_or_null(r.old_barriers)},
      {"barriers", count_or_null(r.barriers)},
      {"verdict", quoted(r.verdict)},
      {"detail", text_or_null(r.detail)},
      {"sizes_run", number(get_number(r.validate, "sets"))},
      {"target_compared", text_or_null(get(r.timed, "target"))},
      {"time_ms_original", number(get_number(o, "ms"))},
      {"time_ms_original_min", number(get_number(o, "ms_min"))},
      {"time_ms_original_max", number(get_number(o, "ms_max"))},
      {"time_ms", number(get_number(r.timed, "ms"))},
      {"time_ms_min", number(get_number(r.timed, "ms_min"))},
      {"time_ms_max", number(get_number(r.timed, "ms_max"))},
      {"rounds", number(get_number(r.timed, "rounds"))},
      {"speedup", number(speedup_of(r))},
      {"bound_ms", number(bound_of(r))},
      {"overlap_efficiency", number(efficiency_of(r))},
      {"gain_share", share(gain_share_of(r))},
      {"gflops", number(get_number(r.timed, "gflops"))},
      {"gbs", number(get_number(r.timed, "gbs"))},
      {"registers_original", number(registers_of(o, old))},
      {"registers", number(registers_of(f, said))},
      {"spills_original", number(old.spills)},
      {"spills", number(said.spills)},
      {"local_bytes", number(get_number(f, "local"))},
      {"smem_original", number(get_number(o, "static_smem"))},
      {"smem", number(get_number(f, "static_smem"))},
      {"smem_dynamic", number(get_number(f, "dynamic_smem"))},
      {"blocks_per_sm_original", number(get_number(o, "blocks"))},
      {"blocks_per_sm", number(get_number(f, "blocks"))},
      {"threads", number(get_number(f, "threads"))},
      {"gpu", text_or_null(r.gpu)},
      {"sanitizer", object_or_null(r.sanitize)},
      {"sanitizer_original", object_or_null(r.sanitize_original)},
  };
}

static void write_fields(FILE *f, const std::vector<Field> &fields) {
  const char *between = "    {";
  for (const Field &field : fields) {
    fprintf(f, "%s\"%s\": %s", between, field.name, field.value.c_str());
    between = ", ";
  }
  fprintf(f, "}");
}

/* Why one side of a launch has no time; "" where it has. */
static std::string trouble_of(const Places &p, const Side &side) {
  std::string object = p.object(side.id, side.form);
  std::string told = get(side.head, ("crashed-" + side.form).c_str());
  if (!exists(object + ".so"))
    return exists(object + ".log") ? first_error(object + ".log") : "not built";
  return told.empty() ? get(side.timed, "target_detail") : told;
}

static std::vector<Field> side_fields(const Places &p, const Side &side) {
  const Values &t = side.timed;
  Resources said = said_of(p.object(side.id, side.form), t, side.kernel);
  return {
      {"case", quoted(side.id)},
      {"kernel", quoted(side.kernel)},
      {"launch", side.launch},
      {"side", side.form == "loads-alone" ? "\"loads\"" : "\"compute\""},
      {"time_ms", number(get_number(t, "ms"))},
      {"time_ms_min", number(get_number(t, "ms_min"))},
      {"time_ms_max", number(get_number(t, "ms_max"))},
      {"rounds", number(get_number(t, "rounds"))},
      {"registers", number(registers_of(t, said))},
      {"spills", number(said.spills)},
      {"smem", number(get_number(t, "static_smem"))},
      {"smem_dynamic", number(get_number(t, "dynamic_smem"))},
      {"blocks_per_sm", number(get_number(t, "blocks"))},
      {"detail", text_or_null(trouble_of(p, side))},
  };
}

static void write_device(FILE *f, const Places &p) {
  const char *between = "";
  Values device = read_groups(p.results + "/device", "")[0];
  fprintf(f, "  \"device\": {");
  for (const Values::value_type &v : device) {
    fprintf(f, "%s%s: %s", between, quoted(v.first).c_str(),
            quoted(v.second).c_str());
    between = ", ";
  }
  fprintf(f, "},\n");
}

template <class T, class F>
static void write_array(FILE *f, const char *name, const std::vector<T> &items,
                        F fields) {
  fprintf(f, "  \"%s\": [\n", name);
  for (size_t i = 0; i < items.size(); i++) {
    write_fields(f, fields(items[i]));
    fprintf(f, "%s\n", i + 1 < items.size() ? "," : "");
  }
  fprintf(f, "  ]");
}

static bool write_json(const Places &p, const std::vector<Row> &rows,
                       const std::vector<Side> &sides,
                       const std::string &path) {
  FILE *f = fopen(path.c_str(), "w");
  if (!f)
    return false;
  fprintf(f, "{\n  \"version\": 2,\n");
  write_device(f, p);
  write_array(f, "results", rows, [&](const Row &r) { return fields_of(p, r); });
  fprintf(f, ",\n");
  write_array(f, "sides", sides,
              [&](const Side &s) { return side_fields(p, s); });
  fprintf(f, "\n}\n");
  return fclose(f) == 0;
}

/* --- the table ----------------------------------------------------------- */

static std::string shown(double value, const char *format) {
  char text[32];
  if (!(value >= 0))
    return "-";
  snprintf(text, sizeof text, format, value);
  return text;
}

static void print_row(const Places &p, const Row &r) {
  const Values &f = facts_of(r);
  Resources said = said_of(p.object(r.id, r.form), f, r.kernel);
  printf("%-30.30s %-22.22s %-12s%c %-14s %4s %9s %9s %6s %5s %4s %6s %6s "
         "%3s\n",
         r.id.c_str(), r.kernel.c_str(), r.form.c_str(), r.chosen ? '*' : ' ',
         r.verdict.c_str(),
         shown(get_number(r.validate, "sets"), "%.0f").c_str(),
         shown(get_number(r.original, "ms"), "%.4f").c_str(),
         shown(get_number(r.timed, "ms"), "%.4f").c_str(),
         shown(speedup_of(r), "%.3f").c_str(),
         shown(efficiency_of(r), "%.2f").c_str(),
         shown(registers_of(f, said), "%.0f").c_str(),
         shown(said.spills, "%.0f").c_str(),
         shown(get_number(f, "static_smem"), "%.0f").c_str(),
         shown(get_number(f, "blocks"), "%.0f").c_str());
  if (!r.detail.empty())
    printf("    %s\n", r.detail.c_str());
  if (sanitizer_found(r) || sanitizer_open(r))
    printf("    %s\n", sanitizer_of(r).c_str());
}

static void print_counts(const std::vector<Row> &rows) {
  std::map<std::string, int> counts;
  for (const Row &r : rows)
    counts[r.verdict]++;
  printf("\n%zu pairs:", rows.size());
  for (const std::map<std::string, int>::value_type &c : counts)
    printf(" %d %s", c.second, c.first.c_str());
  printf("\n");
}

struct Mean {
  double logs = 0, least = 1e9, most = 0;
  int n = 0;

  void add(double x) {
    logs += log(x);
    least = x < least ? x : least;
    most = x > most ? x : most;
    n++;
  }
};

/* Overlap efficiency of the fastest form of each launch. */
static void print_reached(const std::map<std::string, double> &reached) {
  Mean mean;
  for (const std::map<std::string, double>::value_type &r : reached)
    if (r.second > 0)
      mean.add(r.second);
  if (mean.n)
    printf("overlap efficiency of the fastest form: %d launches, geometric "
           "mean %.3f, %.3f to %.3f\n",
           mean.n, exp(mean.logs / mean.n), mean.least, mean.most);
}

static void print_means(const std::vector<Row> &rows) {
  std::map<std::string, Mean> means;
  std::map<std::string, double> best, reached;
  for (const Row &r : rows) {
    double speedup = speedup_of(r);
    if (speedup <= 0 || r.verdict != "equal")
      continue;
    means[r.form].add(speedup);
    if (r.chosen)
      means["(auto)"].add(speedup);
    double &b = best[r.id + "." + r.launch];
    b = speedup > b ? speedup : b;
    double efficiency = efficiency_of(r);
    if (efficiency > reached[r.id + "." + r.launch])
      reached[r.id + "." + r.launch] = efficiency;
  }
  for (const std::map<std::string, double>::value_type &b : best)
    means["(best)"].add(b.second);
  for (const std::map<std::string, Mean>::value_type &m : means)
    printf("%-12s %4d timed, geometric mean %.3fx, %.3fx to %.3fx\n",
           m.first.c_str(), m.second.n, exp(m.second.logs / m.second.n),
           m.second.least, m.second.most);
  print_reached(reached);
}

static bool is_same_launch(const Row &a, const Row &b) {
  return a.id == b.id && a.launch == b.launch;
}

static void print_sides(const Row &r, const std::vector<Side> &sides) {
  for (const Side &s : sides)
    if (s.id == r.id && s.launch == r.launch && !s.timed.empty())
      printf("%-30.30s %-22.22s %-13s %-14s %4s %9s %9s\n", s.id.c_str(),
             s.kernel.c_str(), s.form.c_str(), "-", "-",
             shown(get_number(r.original, "ms"), "%.4f").c_str(),
             shown(get_number(s.timed, "ms"), "%.4f").c_str());
}

static void print_table(const Places &p, const std::vector<Row> &rows,
                        const std::vector<Side> &sides) {
  printf("%-30s %-22s %-13s %-14s %4s %9s %9s %6s %5s %4s %6s %6s %3s\n",
         "case", "kernel", "variant", "verdict", "sets", "ms before", "ms", "x",
         "eff", "regs", "spills", "smem", "b/m");
  for (size_t i = 0; i < rows.size(); i++) {
    print_row(p, rows[i]);
    if (i + 1 == rows.size() || !is_same_launch(rows[i], rows[i + 1]))
      print_sides(rows[i], sides);
  }
  print_counts(rows);
  print_means(rows);
  printf("* the choice of --variant=auto; sets: sizes compared bit by bit; "
         "smem: static bytes; b/m: blocks a multiprocessor; eff: "
         "the longer of loads and compute alone, divided by the time\n");
}

/* 3 where something was found, 4 where not all could be proven. */
static int worst_of(const std::vector<Row> &rows) {
  bool found = false, open = rows.empty();
  for (const Row &r : rows) {
    bool finding = r.verdict == "differs" || r.verdict == "crash" ||
                   r.verdict == "timeout" || r.verdict == "build-failed" ||
                   r.verdict == "out-of-bounds" || sanitizer_found(r);
    found |= finding;
    open |= !finding && (r.verdict != "equal" || sanitizer_open(r));
  }
  return found ? 3 : open ? 4 : 0;
}

static int report(const char *bundle, const char *build, const char *results,
                  const char *out) {
  Places p = {bundle, build, results};
  std::vector<Row> rows = read_all<Row>(p, "pairs", read_pairs);
  std::vector<Side> sides = read_all<Side>(p, "sides", read_sides);
  print_table(p, rows, sides);
  if (!write_json(p, rows, sides, out)) {
    perror(out);
    return 2;
  }
  return worst_of(rows);
}

#endif
