#pragma once

#define REPORT(ok) do { if (!(ok)) said[0] = sizeof(#ok); } while (0)
