#pragma once

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <microhttpd.h>

/* The value of a hexadecimal digit; -1 if it is none. */
static inline int huddle_http_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/*
 * Unescapes a path or a value of a query. A zero byte would cut it short, so that "a%00.sav" would name another file. Such
 * an escape, and one that is malformed, become a byte that is no UTF-8, so that the path is refused.
 */
static inline size_t huddle_http_unescape(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    for (const char *c = text; *c; ++c) {
        if (*c != '%') continue;
        int high = huddle_http_digit(c[1]);
        int low = high < 0 ? -1 : huddle_http_digit(c[2]);
        if (low < 0 || (high == 0 && low == 0)) {
            text[0] = (char)0xff;
            text[1] = 0;
            return 1;
        }
        c += 2;
    }
    return MHD_http_unescape(text);
}

/*
 * Swift can't call functions with a variable number of arguments.
 *
 * identity is a key and its certificate in PEM, for TLS; NULL for a server without. The library reads it at the start only.
 * The library asks admits about each caller; NULL admits all of them.
 */
static inline struct MHD_Daemon *huddle_http_start(int listener, unsigned int connections, unsigned int idle_seconds,
                                                   size_t memory, const char *identity,
                                                   MHD_AcceptPolicyCallback admits, MHD_AccessHandlerCallback handler,
                                                   MHD_RequestCompletedCallback completed,
                                                   MHD_NotifyConnectionCallback came_or_went, void *context) {
    struct MHD_OptionItem secure[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)identity},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)identity},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (identity ? MHD_USE_TLS : 0), 0, admits, context,
                            handler, context, MHD_OPTION_ARRAY, identity ? secure : plain,
                            MHD_OPTION_LISTEN_SOCKET, listener,
                            MHD_OPTION_CONNECTION_LIMIT, connections,
                            MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                            MHD_OPTION_NOTIFY_CONNECTION, came_or_went, context,
                            MHD_OPTION_UNESCAPE_CALLBACK, huddle_http_unescape, NULL,
                            MHD_OPTION_END);
}

/* What becomes readable when there is something to do; -1 if there is no such thing. */
static inline int huddle_http_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* Lets a connection be silent for as long as it likes. */
static inline void huddle_http_be_patient(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}

/* The socket of a connection; -1 if it has none. */
static inline int huddle_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
