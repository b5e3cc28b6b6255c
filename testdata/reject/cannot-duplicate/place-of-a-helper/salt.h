#pragma once

#define SALT_HERE (__LINE__ * 0x9e3779b9u)
#define STREAM_HERE (0x85ebca6bu ^ __COUNTER__)
#define LANES 32
