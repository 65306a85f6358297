import CDBus
import LinuxPlatform

/// A D-Bus message that this object owns.
///
/// One task at a time uses it; libdbus counts its references with atomic operations.
final class BusMessage: @unchecked Sendable {  // because no code changes a message after it was built or received
    let raw: OpaquePointer
    private let service: BusService

    init(takingOwnershipOf raw: OpaquePointer, from service: BusService) {
        (self.raw, self.service) = (raw, service)
    }

    deinit { dbus_message_unref(raw) }

    /// A method call to the service; nil if memory runs out.
    init?(calling member: String, of service: BusService) {
        guard let raw = dbus_message_new_method_call(service.name, service.path, service.interface, member) else {
            return nil
        }
        (self.raw, self.service) = (raw, service)
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
            guard interface == service.interface, let member else { return .other }
            return .signal(String(cString: member))
        default: return .other
        }
    }

    /// The first argument that is a descriptor; nil if there is none. Each call returns a descriptor of its own.
    func descriptor() -> OwnedDescriptor? {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(raw, &place) != 0 else { return nil }
        repeat {
            guard dbus_message_iter_get_arg_type(&place) == huddle_dbus_descriptor() else { continue }
            var number: CInt = -1
            dbus_message_iter_get_basic(&place, &number)
            return number < 0 ? nil : OwnedDescriptor(takingOwnershipOf: number)
        } while dbus_message_iter_next(&place) != 0
        return nil
    }

    /// The arguments that are Booleans, unsigned numbers, strings or arrays of strings; others are left out.
    var values: BusValues {
        var (values, place) = (BusValues(), DBusMessageIter())
        guard dbus_message_iter_init(raw, &place) != 0 else { return values }
        repeat {
            switch dbus_message_iter_get_arg_type(&place) {
            case huddle_dbus_boolean():
                var flag: dbus_bool_t = 0
                dbus_message_iter_get_basic(&place, &flag)
                values.flags.append(flag != 0)
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
    var flags: [Bool] = []
    var numbers: [UInt32] = []
    var texts: [String] = []
}
