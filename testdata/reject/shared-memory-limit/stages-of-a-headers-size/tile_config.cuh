// What the project is built for.
#pragma once
#ifndef TILE_CELLS
#define TILE_CELLS 5632
#endif
