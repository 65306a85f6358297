import CDBus

/// Writes values into a message of the bus. Where there is no memory it does nothing more, and says so.
struct BusWriter {
    private var place = DBusMessageIter()
    private(set) var isWhole = true

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

    /// A dictionary of texts to values of one byte or one text each.
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
        guard isWhole else { return }
        var inner = BusWriter()
        note(dbus_message_iter_open_container(&place, type, signature, &inner.place))
        guard isWhole else { return }
        write(&inner)
        note(dbus_message_iter_close_container(&place, &inner.place))
        isWhole = isWhole && inner.isWhole
    }

    private mutating func note(_ done: dbus_bool_t) { isWhole = isWhole && done != 0 }
}
