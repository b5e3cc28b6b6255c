#pragma once
#include "mesh.h"
#include "node.h"
#include "edge.h"
#include "cell.h"
#include "zone.h"
struct face {
    int first, count;
};
