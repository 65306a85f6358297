import CDBus

/// A message of the bus that this program has come to own.
///
/// It is used by one task at a time; libdbus counts references to it with atomic operations.
final class BusMessage: @unchecked Sendable {  // because nothing changes it once it is built or has come
    let raw: OpaquePointer

    init(takingOwnershipOf raw: OpaquePointer) {
        self.raw = raw
    }

    deinit { dbus_message_unref(raw) }

    /// A question to the program that shows notifications; nil where there is no memory.
    init?(calling member: String) {
        let service = NotificationService.name
        guard
            let raw = dbus_message_new_method_call(service, NotificationService.path, service, member)
        else { return nil }
        self.raw = raw
    }

    // MARK: What has come

    enum Kind {
        case answer(to: UInt32)
        case failure(of: UInt32, String)
        case signal(String)
        case other
    }

    var kind: Kind {
        switch dbus_message_get_type(raw) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: return .answer(to: dbus_message_get_reply_serial(raw))
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

    /// Its first two values, as far as they are numbers and texts, or a list of texts.
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

/// What a message of the bus holds, apart by type.
struct BusValues {
    var numbers: [UInt32] = []
    var texts: [String] = []
}
