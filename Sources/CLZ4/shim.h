// LZ4. Everything that SyncthingBridge uses can be called from Swift as it stands.
#ifndef HUDDLE_CLZ4_SHIM_H
#define HUDDLE_CLZ4_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <lz4.h>

#endif
