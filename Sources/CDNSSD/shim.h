// Avahi's Bonjour-compatible interface. Every call it has can be made from Swift as it stands.
#ifndef HUDDLE_CDNSSD_SHIM_H
#define HUDDLE_CDNSSD_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <avahi-common/malloc.h>
#include <dns_sd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// libavahi-client prints a warning for each signal of the bus that it does not know, such as the one for a bus that reads its settings again. It
// knows no other way than the stream `stderr`. While the library works, that is a stream which passes on all but this warning.
struct huddle_stream {
    ssize_t (*read)(void *, char *, size_t);
    ssize_t (*write)(void *, const char *, size_t);
    int (*seek)(void *, off_t *, int);
    int (*close)(void *);
};

// It stands behind _GNU_SOURCE, which the importer does not define.
extern FILE *huddle_open_stream(void *, const char *, struct huddle_stream) __asm__("fopencookie");

static inline ssize_t huddle_pass_on(void *unused, const char *text, size_t size) {
    static const char warning[] = "WARNING: Unhandled message: ";
    (void)unused;
    if (size >= sizeof(warning) - 1 && memcmp(text, warning, sizeof(warning) - 1) == 0) return (ssize_t)size;
    return write(STDERR_FILENO, text, size);
}

// For one thread of the program alone.
static inline DNSServiceErrorType huddle_process_result(DNSServiceRef reference) {
    static FILE *quiet;
    if (!quiet) {
        quiet = huddle_open_stream(NULL, "w", (struct huddle_stream){.write = huddle_pass_on});
        if (!quiet) return DNSServiceProcessResult(reference);
        setvbuf(quiet, NULL, _IONBF, 0);
    }
    FILE *usual = stderr;
    stderr = quiet;
    DNSServiceErrorType failure = DNSServiceProcessResult(reference);
    stderr = usual;
    return failure;
}

#endif
