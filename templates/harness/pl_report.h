/* pl_report.h - a table of all rows, results.json, and the exit code. */
#ifndef PL_REPORT_H
#define PL_REPORT_H

#include "pl_json.h"

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
