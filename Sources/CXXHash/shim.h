// xxHash. The streaming calls of XXH3 can be made from Swift as they stand.
#ifndef HUDDLE_CXXHASH_SHIM_H
#define HUDDLE_CXXHASH_SHIM_H

#include <xxhash.h>

#endif
