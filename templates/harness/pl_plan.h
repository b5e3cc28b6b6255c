/* pl_plan.h - reads a plan: the launches of a file with every size worked out.
 *
 * Words are separated by spaces, a text goes to the end of its line:
 *   launch INDEX ARGUMENTS KERNEL
 *   set TEXT | target TEXT          begins one set of sizes
 *   grid X Y Z  block X Y Z  smem BYTES
 *   shape-of FORM GRID BLOCK BYTES  of what is launched in another way
 *   work FLOPS BYTES
 *   arg KIND DIRECTION FILL COUNT VALUE BELOW LOW HIGH NAME */
#ifndef PL_PLAN_H
#define PL_PLAN_H

#include "pl_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

struct Argument {
  char kind;      /* b buffer, i integer, r real, n null */
  char direction; /* i in, o out, x both */
  char fill;      /* r random, g range, b below, c constant */
  long long count, value, below;
  double low, high;
  std::string name;
};

struct FormShape {
  std::string form;
  pl_shape shape;
};

struct SizeSet {
  std::string text;
  bool is_target;
  pl_shape shape;
  double flops, bytes;
  std::vector<FormShape> shape_of;
  std::vector<Argument> args;
};

struct Plan {
  std::string kernel;
  std::vector<SizeSet> sets;
};

static void read_extent(const char *text, unsigned *extent) {
  sscanf(text, "%u %u %u", &extent[0], &extent[1], &extent[2]);
}

static void read_argument(SizeSet *set, const char *text) {
  Argument a = {};
  int at = 0;
  if (sscanf(text, "%c %c %c %lld %lld %lld %lf %lf %n", &a.kind, &a.direction,
             &a.fill, &a.count, &a.value, &a.below, &a.low, &a.high, &at) < 8)
    return;
  a.name = text + at;
  set->args.push_back(a);
}

static void read_shape_of(SizeSet *set, const char *text) {
  char form[64];
  pl_shape s;
  if (sscanf(text, "%63s %u %u %u %u %u %u %zu", form, &s.grid[0], &s.grid[1],
             &s.grid[2], &s.block[0], &s.block[1], &s.block[2], &s.smem) == 8)
    set->shape_of.push_back({form, s});
}

/* One line of the wanted launch. */
static void read_plan_line(Plan *plan, const std::string &word,
                           const char *rest) {
  if (word == "set" || word == "target") {
    SizeSet fresh = {};
    fresh.text = rest;
    fresh.is_target = word == "target";
    plan->sets.push_back(fresh);
  }
  if (plan->sets.empty())
    return;
  SizeSet *set = &plan->sets.back();
  if (word == "grid")
    read_extent(rest, set->shape.grid);
  else if (word == "block")
    read_extent(rest, set->shape.block);
  else if (word == "smem")
    set->shape.smem = strtoull(rest, NULL, 10);
  else if (word == "shape-of")
    read_shape_of(set, rest);
  else if (word == "work")
    sscanf(rest, "%lf %lf", &set->flops, &set->bytes);
  else if (word == "arg")
    read_argument(set, rest);
}

/* False where the file or the launch is not there. */
static bool read_plan(const char *path, int launch, Plan *plan) {
  FILE *f = fopen(path, "r");
  if (!f)
    return false;
  char line[8192];
  bool wanted = false, found = false;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    char *rest = line + strcspn(line, " ");
    std::string word(line, (size_t)(rest - line));
    rest += *rest == ' ';
    if (word == "launch") {
      int index = -1, n_args = 0, at = 0;
      sscanf(rest, "%d %d %n", &index, &n_args, &at);
      wanted = index == launch;
      found |= wanted;
      if (wanted)
        plan->kernel = rest + at;
    } else if (wanted) {
      read_plan_line(plan, word, rest);
    }
  }
  fclose(f);
  return found;
}

/* The shape of a launch as a form of the kernel needs it. */
static pl_shape shape_of(const SizeSet &set, const std::string &form) {
  pl_shape shape = set.shape;
  for (const FormShape &s : set.shape_of)
    if (s.form == form)
      shape = s.shape;
  return shape;
}

/* Kernels with one side alone compute nonsense: they are timed, not compared. */
static bool is_side(const std::string &label) {
  return label == "loads-alone" || label == "compute-alone";
}

static double blocks_of(const SizeSet &set) {
  const unsigned *g = set.shape.grid;
  return (double)g[0] * g[1] * g[2];
}

#endif
