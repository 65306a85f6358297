import CDNSSD
import LinuxPlatform

/// The context of the library's callbacks. It holds the Swift handler.
final class CallbackContext<Answer>: Sendable {
    let deliver: @Sendable (Answer) -> Void

    init(_ deliver: @escaping @Sendable (Answer) -> Void) {
        self.deliver = deliver
    }

    static func deliver(_ answer: Answer, to context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        // because the reference holds its context until the library has released it
        Unmanaged<CallbackContext>.fromOpaque(context).takeUnretainedValue().deliver(answer)
    }
}

/// The callbacks that the library calls on the loop's thread while it processes a result. Their arguments are invalid
/// after they return. So they copy them and do nothing else.
extension AvahiDirectory {
    static let browseReply: DNSServiceBrowseReply = { _, flags, interface, failure, name, _, _, context in
        guard failure == kDNSServiceErr_NoError, let name else {
            return CallbackContext.deliver(BrowseAnswer.failed(DirectoryFailure(failure)), to: context)
        }
        // Bytes that are not UTF-8 become replacement characters.
        let text = String(cString: name)
        CallbackContext.deliver(
            Self.hasAppeared(flags)
                ? BrowseAnswer.appeared(name: text, interface: interface) : .vanished(name: text, interface: interface),
            to: context
        )
    }

    static let resolveReply: DNSServiceResolveReply = { _, _, _, failure, _, host, port, length, txt, context in
        guard failure == kDNSServiceErr_NoError, let host else {
            return CallbackContext.deliver(ResolveAnswer.unanswered, to: context)
        }
        let bytes = txt.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) } ?? []
        CallbackContext.deliver(
            ResolveAnswer.resolved(host: String(cString: host), port: UInt16(bigEndian: port), txt: bytes),
            to: context
        )
    }

    static let addressReply: DNSServiceQueryRecordReply = {
        _,
        flags,
        interface,
        failure,
        _,
        _,
        _,
        length,
        data,
        _,
        context in
        guard let bytes = Self.recordBytes(failure, data, length) else {
            return CallbackContext.deliver(AddressAnswer.failed, to: context)
        }
        // A record of another length contains no address. It is ignored without a notice, as any host can send one.
        guard let address = IPAddress(bytes: bytes, seenOn: interface) else { return }
        CallbackContext.deliver(
            Self.hasAppeared(flags)
                ? AddressAnswer.appeared(address, interface: interface) : .vanished(address, interface: interface),
            to: context
        )
    }

    static let textReply: DNSServiceQueryRecordReply = {
        _,
        flags,
        interface,
        failure,
        _,
        _,
        _,
        length,
        data,
        _,
        context in
        guard let bytes = Self.recordBytes(failure, data, length) else {
            return CallbackContext.deliver(TextAnswer.failed, to: context)
        }
        CallbackContext.deliver(
            Self.hasAppeared(flags)
                ? TextAnswer.appeared(bytes, interface: interface) : .vanished(bytes, interface: interface),
            to: context
        )
    }

    private static func hasAppeared(_ flags: DNSServiceFlags) -> Bool {
        flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
    }

    /// The bytes of a record; nil if the query failed.
    private static func recordBytes(
        _ failure: DNSServiceErrorType,
        _ data: UnsafeRawPointer?,
        _ length: UInt16
    ) -> [UInt8]? {
        guard failure == kDNSServiceErr_NoError, let data else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
    }

    static let registerReply: DNSServiceRegisterReply = { _, _, failure, name, _, _, context in
        guard failure == kDNSServiceErr_NoError, let name else {
            return CallbackContext.deliver(RegisterAnswer.failed(DirectoryFailure(failure)), to: context)
        }
        CallbackContext.deliver(RegisterAnswer.established(name: String(cString: name)), to: context)
    }
}
