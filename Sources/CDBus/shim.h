#pragma once

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <dbus/dbus.h>
#include <stdio.h>

/* A connection of one's own, known to the bus. It waits for the bus, and writes why not to `reason`. DBusError has bit fields, and a
   lost connection would end the program by itself. */
static inline DBusConnection *huddle_dbus_open(const char *address, char *reason, size_t size) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *connection = dbus_connection_open_private(address, &error);
    if (connection) {
        dbus_connection_set_exit_on_disconnect(connection, FALSE);
        dbus_connection_set_change_sigpipe(FALSE);
        if (!dbus_bus_register(connection, &error)) {
            dbus_connection_close(connection);
            dbus_connection_unref(connection);
            connection = NULL;
        }
    }
    snprintf(reason, size, "%s", connection ? "" : error.message ? error.message : "no memory");
    dbus_error_free(&error);
    return connection;
}

static inline void huddle_dbus_close(DBusConnection *connection) {
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
}

/* Without an error to fill in it does not wait for the bus. */
static inline void huddle_dbus_match(DBusConnection *connection, const char *rule) {
    dbus_bus_add_match(connection, rule, NULL);
}

/* Macros with a cast in them. */
static inline int huddle_dbus_array(void) { return DBUS_TYPE_ARRAY; }
static inline int huddle_dbus_boolean(void) { return DBUS_TYPE_BOOLEAN; }
static inline int huddle_dbus_byte(void) { return DBUS_TYPE_BYTE; }
static inline int huddle_dbus_dictionary_entry(void) { return DBUS_TYPE_DICT_ENTRY; }
static inline int huddle_dbus_int32(void) { return DBUS_TYPE_INT32; }
static inline int huddle_dbus_string(void) { return DBUS_TYPE_STRING; }
static inline int huddle_dbus_descriptor(void) { return DBUS_TYPE_UNIX_FD; }
static inline int huddle_dbus_uint32(void) { return DBUS_TYPE_UINT32; }
static inline int huddle_dbus_variant(void) { return DBUS_TYPE_VARIANT; }
