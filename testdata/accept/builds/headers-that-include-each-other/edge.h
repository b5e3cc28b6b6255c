#ifndef EDGE_H
#define EDGE_H
#include "mesh.h"
#include "node.h"
#include "face.h"
#include "cell.h"
#include "zone.h"
struct edge {
    int first, count;
};
#endif
