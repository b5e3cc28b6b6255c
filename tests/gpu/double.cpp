// double.cpp - a runner without a GPU: it does what the script `run` asks, and
// says so. Its report is the real one.
//   PL_DOUBLE_LOG   takes a line for each piece of work
//   PL_DOUBLE_GPUS  how many devices there are (default 1)
//   PL_DOUBLE_NAME  what they are called
//   PL_DOUBLE_MS    " ldg=9 cp.async-s3=8": what forms take; the rest takes 10
//   PL_DOUBLE_BAD   the form that differs
//   PL_DOUBLE_NEAR  the form that differs by little, unless built with -fmad=false
//   PL_DOUBLE_SLEEP seconds that a launch is timed
#include "pl_report.h"

#include <fstream>
#include <iterator>

static std::string from(const char *name, const char *otherwise) {
  const char *text = getenv(name);
  return text ? text : otherwise;
}

static std::string device() { return from("CUDA_VISIBLE_DEVICES", "none"); }

static void note(const std::string &line) {
  FILE *f = fopen(from("PL_DOUBLE_LOG", "/dev/null").c_str(), "a");
  fprintf(f, "%s\n", line.c_str());
  fclose(f);
}

static void write(const std::string &path, const std::string &text) {
  FILE *f = fopen((path + ".part").c_str(), "w");
  fputs(text.c_str(), f);
  fclose(f);
  rename((path + ".part").c_str(), path.c_str());
}

static std::string label_of(const char *word) { return split(word, '=')[0]; }

/* The double of nvcc leaves its flags in what it makes. */
static bool has_flag(const std::string &object, const char *flag) {
  std::ifstream f(object);
  std::string text((std::istreambuf_iterator<char>(f)), {});
  return text.find(flag) != std::string::npos;
}

static std::string verdict_of(const char *word) {
  std::string label = label_of(word);
  if (label == from("PL_DOUBLE_BAD", ""))
    return "verdict=differs\nsets=3\n";
  if (label == from("PL_DOUBLE_NEAR", "") &&
      !has_flag(split(word, '=')[1], "-fmad=false"))
    return "verdict=differs\ndetail=C[0]: 1, should be 2 (1 of 2 differ, all "
           "within 0.001)\nsets=3\n";
  return "verdict=equal\nsets=3\n";
}

static void validate(char **w) {
  for (char **word = w + 4; *word; word++) {
    note("validate " + split(w[2], '/').back() + " " + label_of(*word));
    write(std::string(w[2]) + "." + label_of(*word) + ".validate",
          "registers=32\n" + verdict_of(*word));
  }
}

static std::string time_of(const std::string &form) {
  std::string all = from("PL_DOUBLE_MS", "");
  size_t at = all.find(" " + form + "=");
  return at == std::string::npos
             ? "10"
             : split(all.substr(at + form.size() + 2), ' ')[0];
}

static void bench(char **w) {
  note("bench " + split(w[2], '/').back() + " on " + device());
  usleep((useconds_t)(1e6 * atof(from("PL_DOUBLE_SLEEP", "0").c_str())));
  std::string text = "gpu=GPU-" + device() + "\nsizes=N=1\n";
  for (char **word = w + 3; *word; word++)
    text += "form=" + label_of(*word) + "\ntarget=equal\nms=" +
            time_of(label_of(*word)) + "\n";
  write(std::string(w[2]) + ".bench", text);
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  char **w = argv + 2;
  if (mode == "device")
    printf("name=%s\narch=sm_90\ncuda=13.0\n",
           from("PL_DOUBLE_NAME", "Made-up").c_str());
  else if (mode == "devices")
    for (int i = 0; i < atoi(from("PL_DOUBLE_GPUS", "1").c_str()); i++)
      printf("%d\t%s\tGPU-%d\n", i, from("PL_DOUBLE_NAME", "Made-up").c_str(),
             i);
  else if (mode == "validate")
    validate(w);
  else if (mode == "bench")
    bench(w);
  else if (mode == "report")
    return report(w[0], w[1], w[2], w[3]);
  else
    return 2;
  return 0;
}
