/* pl_rows.h - what the processes of a bundle left, put together by launch and form.
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
#ifndef PL_ROWS_H
#define PL_ROWS_H

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

/* --- figures ------------------------------------------------------------- */

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

#endif
