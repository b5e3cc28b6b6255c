#ifndef CELL_H
#define CELL_H
#include "mesh.h"
#include "node.h"
#include "edge.h"
#include "face.h"
#include "zone.h"
#ifdef WIDE_CELLS
#define CELLS 64
#else
#define CELLS 32
#endif
#endif
