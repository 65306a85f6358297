#pragma once

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <microhttpd.h>

/* Swift can't call functions with a variable number of arguments. */
static inline struct MHD_Daemon *huddle_http_start(int listener, unsigned int connections, unsigned int idle_seconds,
                                                   size_t memory, MHD_AccessHandlerCallback handler,
                                                   MHD_RequestCompletedCallback completed,
                                                   MHD_NotifyConnectionCallback came_or_went, void *context) {
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
                            MHD_OPTION_LISTEN_SOCKET, listener,
                            MHD_OPTION_CONNECTION_LIMIT, connections,
                            MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                            MHD_OPTION_NOTIFY_CONNECTION, came_or_went, context,
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
