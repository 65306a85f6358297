#ifndef HUDDLE_WRONG_CLOCK_H
#define HUDDLE_WRONG_CLOCK_H

// Loaded into a program with LD_PRELOAD, it moves that program's clock by as many seconds as the file says that WRONG_CLOCK names: a decimal
// number, read anew each time. The kernel has time namespaces, but not for the clock on the wall. Times that the kernel gives to files stay right.

#endif
