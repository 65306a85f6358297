// xxHash. The streaming calls of XXH3 can be made from Swift as they stand, but for one.
#ifndef HUDDLE_CXXHASH_SHIM_H
#define HUDDLE_CXXHASH_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <stddef.h>
#include <xxhash.h>

// On x86 the library also has the digest for each width of vector that a processor may have. It chooses when it runs; the
// plain call takes the narrowest, which every processor has.
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
extern XXH_errorcode XXH3_128bits_update_dispatch(XXH3_state_t *state, const void *input, size_t length);
#define HUDDLE_XXH3_UPDATE XXH3_128bits_update_dispatch
#else
#define HUDDLE_XXH3_UPDATE XXH3_128bits_update
#endif

static inline XXH_errorcode huddle_xxh3_update(XXH3_state_t *state, const void *input, size_t length) {
    return HUDDLE_XXH3_UPDATE(state, input, length);
}

#endif
