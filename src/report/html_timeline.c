/* html_timeline.c - see html_timeline.h.
 *
 * Needs a pipelined loop of the report: its form, stages, copies, barriers a tile and
 * bytes of registers. Gives two pictures of one scale. Raises nothing. */
#include "html_timeline.h"
#include "html_svg.h"

#include <stdbool.h>
#include <stdlib.h>

#include "pipelinify.h"
#include "report_tree.h"
#include "text.h"

/* One unit of time is a hundredth of what one compute takes. */
enum {
  TILES = 4, LOAD_TIME = 120, STORE_TIME = 22, COMPUTE_TIME = 100,
  LEFT = 76, ROW = 24, BAR = 18, UNIT_PERCENT = 62, MOST_BARS = 32, MOST_LANES = 3
};

typedef enum lane_kind { LANE_LOADS, LANE_REGISTERS, LANE_COMPUTE } lane_kind;

typedef struct bar {
  const char *class;
  lane_kind lane;
  int from, to, tile; /* tile -1: it has no number */
} bar;

/* What happens when. */
typedef struct picture {
  bar bars[MOST_BARS];
  int nbars;
  int barriers[MOST_BARS];
  int nbarriers;
  int loads;      /* lanes of loads: how many are in flight at once */
  bool registers; /* has a lane */
  int end;
} picture;

static int later(int a, int b) { return a > b ? a : b; }

static void add_bar(picture *p, const char *class, lane_kind lane, int from,
                    int to, int tile) {
  if (p->nbars < MOST_BARS)
    p->bars[p->nbars++] = (bar){class, lane, from, to, tile};
  p->end = later(p->end, to);
}

static void add_barrier(picture *p, int at) {
  if (p->nbarriers < MOST_BARS)
    p->barriers[p->nbarriers++] = at;
}

/* A load whose tile is stored when it has come. */
static int add_stored_load(picture *p, int at, int tile) {
  int come = at + LOAD_TIME;
  add_bar(p, "load", LANE_LOADS, at, come, tile);
  add_bar(p, "store", LANE_LOADS, come, come + STORE_TIME, -1);
  return come + STORE_TIME;
}

static picture original(const json_t *loop) {
  picture p = {.loads = 1};
  int at = 0;
  for (int i = 0; i < TILES; i++) {
    at = add_stored_load(&p, at, i);
    add_barrier(&p, at);
    add_bar(&p, "compute", LANE_COMPUTE, at, at + COMPUTE_TIME, i);
    at += COMPUTE_TIME;
    if (pl_tree_number(loop, "barriers_before") != 1)
      add_barrier(&p, at);
  }
  return p;
}

/* The next tile waits in registers until this one is done; with one buffer a barrier
 * parts the two. */
static picture staged(bool one_buffer) {
  picture p = {.loads = 1, .registers = true};
  int at = add_stored_load(&p, 0, 0);
  add_barrier(&p, at);
  for (int i = 0; i < TILES; i++) {
    int done = at + COMPUTE_TIME;
    add_bar(&p, "compute", LANE_COMPUTE, at, done, i);
    if (i + 1 == TILES)
      break;
    add_bar(&p, "load", LANE_LOADS, at, at + LOAD_TIME, i + 1);
    done = later(done, at + LOAD_TIME);
    add_bar(&p, "held", LANE_REGISTERS, at, done + STORE_TIME, i + 1);
    add_bar(&p, "store", LANE_LOADS, done, done + STORE_TIME, -1);
    if (one_buffer)
      add_barrier(&p, done);
    at = done + STORE_TIME;
    add_barrier(&p, at);
  }
  return p;
}

/* Copies land in shared memory by themselves, `ahead` tiles before they are used. */
static picture asynchronous(int ahead) {
  picture p = {.loads = ahead < MOST_LANES ? ahead : MOST_LANES};
  int come[TILES], at = 0;
  for (int i = 0; i < TILES; i++)
    come[i] = LOAD_TIME;
  for (int i = 0; i < TILES && i < ahead; i++)
    add_bar(&p, "load", LANE_LOADS, 0, LOAD_TIME, i);
  for (int i = 0; i < TILES; i++) {
    at = later(at, come[i]);
    add_barrier(&p, at);
    if (i + ahead < TILES) {
      come[i + ahead] = at + LOAD_TIME;
      add_bar(&p, "load", LANE_LOADS, at, at + LOAD_TIME, i + ahead);
    }
    add_bar(&p, "compute", LANE_COMPUTE, at, at + COMPUTE_TIME, i);
    at += COMPUTE_TIME;
  }
  return p;
}

static bool copies_by_hardware(const json_t *loop) {
  pl_variant variant;
  return pl_variant_parse(pl_tree_text(loop, "variant"), &variant) &&
         pl_variant_is_async(variant);
}

static picture pipelined(const json_t *loop) {
  int stages = (int)pl_tree_number(loop, "stages");
  if (copies_by_hardware(loop))
    return asynchronous(stages > 1 ? stages - 1 : 1);
  return staged(stages == 1);
}

/* ---- drawing ---------------------------------------------------------------- */

static int x_of(int time) { return LEFT + time * UNIT_PERCENT / 100; }

static int y_of(const picture *p, lane_kind lane, int sublane) {
  int above = lane == LANE_LOADS       ? sublane
              : lane == LANE_REGISTERS ? p->loads
                                       : p->loads + p->registers;
  return above * ROW + 3;
}

static int height_of(const picture *p) {
  return (p->loads + p->registers + 1) * ROW + 4;
}

static void print_label(FILE *out, const picture *p, lane_kind lane,
                        const char *text) {
  fprintf(out, "<text x=\"0\" y=\"%d\">%s</text>", y_of(p, lane, 0) + 13, text);
}

static void print_rect(FILE *out, const picture *p, const bar *b) {
  int x = x_of(b->from), width = x_of(b->to) - x - 1;
  int y = y_of(p, b->lane, b->tile >= 0 ? b->tile % p->loads : 0);
  fprintf(out,
          "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\""
          " rx=\"3\"/>",
          b->class, x, y, width, BAR);
  if (b->tile >= 0)
    fprintf(out, "<text class=\"in\" x=\"%d\" y=\"%d\">%d</text>\n",
            x + width / 2, y + 13, b->tile);
}

static void print_barriers(FILE *out, const picture *p) {
  for (int i = 0; i < p->nbarriers; i++)
    fprintf(out, "<rect class=\"mark\" x=\"%d\" y=\"0\" width=\"2\""
                 " height=\"%d\"/>\n",
            x_of(p->barriers[i]) - 2, height_of(p));
}

static void print_picture(FILE *out, const picture *p, int width,
                          const char *title, const char *label) {
  fprintf(out, "<figure><figcaption>%s</figcaption>", title);
  pl_svg_open(out, width, height_of(p), label);
  print_label(out, p, LANE_LOADS, "loads");
  if (p->registers)
    print_label(out, p, LANE_REGISTERS, "registers");
  print_label(out, p, LANE_COMPUTE, "compute");
  for (int i = 0; i < p->nbars; i++)
    print_rect(out, p, &p->bars[i]);
  print_barriers(out, p);
  fputs("</svg></figure>\n", out);
}

/* ---- words ------------------------------------------------------------------ */

/* "before: 2 barriers a tile"; of a number that is not known the name alone. */
static char *title_of(const char *name, long long barriers) {
  return barriers > 0 ? pl_format("%s: %lld barrier%s a tile", name, barriers,
                                  barriers == 1 ? "" : "s")
                      : pl_format("%s", name);
}

/* "2 copies of 16 bytes", "3 copies of 16, 4 and 4 bytes". */
static void say_copies(FILE *out, const json_t *loop) {
  json_t *bytes = json_object_get(loop, "copy_bytes"), *each;
  size_t i, n = json_array_size(bytes);
  bool same = true;
  if (!n)
    return;
  json_array_foreach(bytes, i, each)
    same &= json_equal(each, json_array_get(bytes, 0));
  fprintf(out, "A thread fills its part of a tile by %zu cop%s of ", n,
          n == 1 ? "y" : "ies");
  json_array_foreach(bytes, i, each) {
    if (i && same)
      break;
    fprintf(out, "%s%lld", !i ? "" : i + 1 == n ? " and " : ", ",
            (long long)json_integer_value(each));
  }
  fputs(n > 1 && same ? " bytes each. " : " bytes. ", out);
}

static void say_registers(FILE *out, const json_t *loop) {
  long long bytes = pl_tree_number(loop, "staging_bytes");
  if (bytes > 0 && !copies_by_hardware(loop))
    fprintf(out, "The next tile takes %lld bytes of its registers. ", bytes);
}

static void print_legend(FILE *out, const picture *before,
                         const picture *after) {
  static const char *const rows[][2] = {
      {"load", "load"}, {"store", "store to shared memory"},
      {"held", "held in registers"}, {"compute", "compute"},
      {"mark", "barrier"}};
  bool registers = before->registers || after->registers;
  fputs("<p class=\"small legend\">", out);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (i != 2 || registers)
      fprintf(out, "<span><span class=\"sw %s\"></span> %s</span> ", rows[i][0],
              rows[i][1]);
  fputs("</p>\n", out);
}

void pl_html_timeline(FILE *out, const json_t *loop) {
  picture before = original(loop), after = pipelined(loop);
  int width = x_of(later(before.end, after.end)) + 4;
  char *first = title_of("Before", pl_tree_number(loop, "barriers_before"));
  char *second = title_of("After", pl_tree_number(loop, "barriers_after"));
  print_picture(out, &before, width, first,
                "each load waits for the compute before it");
  print_picture(out, &after, width, second,
                "loads of later tiles run beside the compute");
  print_legend(out, &before, &after);
  fputs("<p class=\"small\">", out);
  say_copies(out, loop);
  say_registers(out, loop);
  fputs("The first four tiles, in their order; lengths are not measured.</p>\n",
        out);
  free(first);
  free(second);
}
