// Avahi's Bonjour-compatible interface. Every call it has can be made from Swift as it stands.
#ifndef HUDDLE_CDNSSD_SHIM_H
#define HUDDLE_CDNSSD_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <avahi-common/malloc.h>
#include <dns_sd.h>
#include <stdlib.h>

static inline void *huddle_zeroed_memory(size_t size) {
    return calloc(1, size);
}

// Avahi 0.8 does not clear the callbacks of a new DNSServiceRef: when avahi-daemon goes away while the memory happened
// to hold something, the library jumps to it. Mended upstream in 2024 (avahi/avahi pull request 569), not in Debian 12.
// Through Avahi's own hook every piece of its memory starts out as zeros.
static inline void huddle_let_avahi_memory_be_zeroed(void) {
    static const AvahiAllocator allocator = {
        .malloc = huddle_zeroed_memory, .free = free, .realloc = realloc, .calloc = calloc};
    avahi_set_allocator(&allocator);
}

#endif
