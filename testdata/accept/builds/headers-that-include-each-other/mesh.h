#ifndef MESH_H
#define MESH_H
#include "node.h"
#include "edge.h"
#include "face.h"
#include "cell.h"
#include "zone.h"
struct mesh {
    int first, count;
};
#endif
