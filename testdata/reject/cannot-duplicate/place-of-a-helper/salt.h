#pragma once

#define STREAM_HERE (0x85ebca6bu ^ __COUNTER__)
#define LANES 32
