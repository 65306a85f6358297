import CDBus

/// Writes values into a D-Bus message. If memory runs out, it ignores further values and `isComplete` becomes false.
struct BusWriter {
    private var place = DBusMessageIter()
    private(set) var isComplete = true

    init(_ message: BusMessage) {
        dbus_message_iter_init_append(message.raw, &place)
    }

    private init() {}

    mutating func text(_ text: String) {
        text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            note(dbus_message_iter_append_basic(&place, huddle_dbus_string(), &pointer))
        }
    }

    mutating func number(_ number: UInt32) {
        var number = number
        note(dbus_message_iter_append_basic(&place, huddle_dbus_uint32(), &number))
    }

    mutating func signed(_ number: Int32) {
        var number = number
        note(dbus_message_iter_append_basic(&place, huddle_dbus_int32(), &number))
    }

    mutating func texts(_ texts: [String]) {
        inside(huddle_dbus_array(), "s") { inner in
            for text in texts { inner.text(text) }
        }
    }

    /// Appends a dictionary (`a{sv}`) whose values are single bytes or strings.
    mutating func hints(_ hints: KeyValuePairs<String, Hint>) {
        inside(huddle_dbus_array(), "{sv}") { list in
            for (key, hint) in hints {
                list.inside(huddle_dbus_dictionary_entry(), nil) { entry in
                    entry.text(key)
                    entry.hint(hint)
                }
            }
        }
    }

    enum Hint {
        case byte(UInt8)
        case text(String)
    }

    private mutating func hint(_ hint: Hint) {
        switch hint {
        case .byte(var byte):
            inside(huddle_dbus_variant(), "y") { inner in
                inner.note(dbus_message_iter_append_basic(&inner.place, huddle_dbus_byte(), &byte))
            }
        case .text(let text): inside(huddle_dbus_variant(), "s") { $0.text(text) }
        }
    }

    private mutating func inside(_ type: CInt, _ signature: String?, _ write: (inout BusWriter) -> Void) {
        guard isComplete else { return }
        var inner = BusWriter()
        note(dbus_message_iter_open_container(&place, type, signature, &inner.place))
        guard isComplete else { return }
        write(&inner)
        note(dbus_message_iter_close_container(&place, &inner.place))
        isComplete = isComplete && inner.isComplete
    }

    private mutating func note(_ done: dbus_bool_t) { isComplete = isComplete && done != 0 }
}
