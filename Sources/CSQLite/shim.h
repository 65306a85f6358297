// SQLite, and wrappers for what Swift can't call: a destructor that is a number, and variadic functions.
#ifndef HUDDLE_CSQLITE_SHIM_H
#define HUDDLE_CSQLITE_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <sqlite3.h>

// SQLITE_TRANSIENT is -1 cast to a function pointer: SQLite copies the bytes before the call returns.
static inline int huddle_bind_text(sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// An address of null would bind NULL; no bytes are not nothing.
static inline int huddle_bind_bytes(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, place, 0);
    return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// `sqlite3_db_config` is variadic. From then on no statement can write to SQLite's own tables.
static inline int huddle_defend(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Likewise. Whether the last one to close leaves the log beside the database as it is.
static inline int huddle_keep_log_on_close(sqlite3 *connection, int keep) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// Likewise. From then on nothing is run that the file brings with it.
static inline int huddle_distrust(sqlite3 *connection) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
    };
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
        int code = sqlite3_db_config(connection, settings[i][0], settings[i][1], (int *)0);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

#endif
