#pragma once
#include "mesh.h"
#include "node.h"
#include "edge.h"
#include "face.h"
#include "cell.h"
struct zone {
    int first, count;
};
