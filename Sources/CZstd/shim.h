// zstd. Everything that History uses can be called from Swift as it stands.
#ifndef HUDDLE_CZSTD_SHIM_H
#define HUDDLE_CZSTD_SHIM_H

#include <zstd.h>

#endif
