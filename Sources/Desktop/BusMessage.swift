import CDBus

/// A D-Bus message that this object owns.
///
/// One task at a time uses it; libdbus counts its references with atomic operations.
final class BusMessage: @unchecked Sendable {  // because no code changes a message after it was built or received
    let raw: OpaquePointer

    init(takingOwnershipOf raw: OpaquePointer) {
        self.raw = raw
    }

    deinit { dbus_message_unref(raw) }

    /// A method call to the notification service; nil if memory runs out.
    init?(calling member: String) {
        let service = NotificationService.name
        guard
            let raw = dbus_message_new_method_call(service, NotificationService.path, service, member)
        else { return nil }
        self.raw = raw
    }

    // MARK: Received messages

    enum Kind {
        case reply(to: UInt32)
        case failure(of: UInt32, String)
        case signal(String)
        case other
    }

    var kind: Kind {
        switch dbus_message_get_type(raw) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: return .reply(to: dbus_message_get_reply_serial(raw))
        case DBUS_MESSAGE_TYPE_ERROR:
            let name = dbus_message_get_error_name(raw).map { String(cString: $0) } ?? "?"
            return .failure(of: dbus_message_get_reply_serial(raw), name)
        case DBUS_MESSAGE_TYPE_SIGNAL:
            let interface = dbus_message_get_interface(raw).map { String(cString: $0) }
            let member = dbus_message_get_member(raw)
            guard interface == NotificationService.name, let member else { return .other }
            return .signal(String(cString: member))
        default: return .other
        }
    }

    /// The arguments that are unsigned numbers, strings or arrays of strings; others are left out.
    var values: BusValues {
        var (values, place) = (BusValues(), DBusMessageIter())
        guard dbus_message_iter_init(raw, &place) != 0 else { return values }
        repeat {
            switch dbus_message_iter_get_arg_type(&place) {
            case huddle_dbus_uint32():
                var number: UInt32 = 0
                dbus_message_iter_get_basic(&place, &number)
                values.numbers.append(number)
            case huddle_dbus_string(): values.texts.append(Self.text(at: &place))
            case huddle_dbus_array() where dbus_message_iter_get_element_type(&place) == huddle_dbus_string():
                var inner = DBusMessageIter()
                dbus_message_iter_recurse(&place, &inner)
                while dbus_message_iter_get_arg_type(&inner) == huddle_dbus_string() {
                    values.texts.append(Self.text(at: &inner))
                    dbus_message_iter_next(&inner)
                }
            default: break
            }
        } while dbus_message_iter_next(&place) != 0
        return values
    }

    private static func text(at place: inout DBusMessageIter) -> String {
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&place, &text)
        return text.map { String(cString: $0) } ?? ""
    }
}

/// The arguments of a D-Bus message, grouped by type.
struct BusValues {
    var numbers: [UInt32] = []
    var texts: [String] = []
}
