#pragma once

#define DETAIL (/* 0 for nothing, 1 for what fails, 2 while it runs */ 1)
#define REPORT(ok) do { if (DETAIL && !(ok)) said[0] = sizeof(#ok); } while (0)
