// Starts a program in namespaces of its own or in those of another process, as a direct child of the caller.
//
// It stands in C because the steps lie between fork and exec, where almost nothing may be called in a program with
// threads, and Swift can't promise to call nothing else.
#ifndef HUDDLE_LAB_NAMESPACES_H
#define HUDDLE_LAB_NAMESPACES_H

#include <stdbool.h>

// Bits for `joined` and `created`.
enum {
    LAB_USERS = 1,
    LAB_NETWORK = 2,
    LAB_MOUNTS = 4,
    LAB_HOST_NAME = 8,
    LAB_PROCESSES = 16,
    LAB_MESSAGES = 32,
};

// The step that a start got to, for the error message.
enum {
    LAB_STEP_NONE,
    LAB_STEP_FORK,
    LAB_STEP_JOIN,
    LAB_STEP_CREATE,
    LAB_STEP_MAP_IDS,
    LAB_STEP_STREAMS,
    LAB_STEP_FOLDER,
    LAB_STEP_PROGRAM,
};

struct lab_request {
    // A pidfd of the process whose namespaces to join first, or -1.
    int process;
    int joined;
    int created;
    // With LAB_USERS among `created`: what to write to uid_map and gid_map.
    const char *user_map;
    const char *group_map;
    // What become descriptors 0, 1 and 2; every other one is closed.
    int streams[3];
    const char *folder;
    bool folder_is_optional;
    // Away from the caller's terminal and process group.
    bool new_session;
    char *const *arguments;
    char *const *environment;
};

struct lab_started {
    // The program itself, seen from the caller; 0 where it could not be started.
    int process;
    int failed_step;
    int error;
};

// Blocks until the program runs or could not be started: some milliseconds.
struct lab_started lab_start(const struct lab_request *start);

#endif
