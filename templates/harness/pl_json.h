/* pl_json.h - results.json; docs/results.md says what its members mean. */
#ifndef PL_JSON_H
#define PL_JSON_H

#include "pl_rows.h"

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

#endif
