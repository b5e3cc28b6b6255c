#pragma once
#include "mesh.h"
#include "edge.h"
#include "face.h"
#include "cell.h"
#include "zone.h"
struct node {
    int first, count;
};
