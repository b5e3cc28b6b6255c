LOOP pipelined
LOOP kept
LOOP refused
LOOP suppressed
LOOP already-pipelined
LOOP not-a-tile-loop
