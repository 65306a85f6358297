import CDNSSD
import LinuxPlatform

/// What the library's callbacks get as their context: the way back into Swift.
final class Mailbox<Answer>: Sendable {
    let deliver: @Sendable (Answer) -> Void

    init(_ deliver: @escaping @Sendable (Answer) -> Void) {
        self.deliver = deliver
    }

    static func deliver(_ answer: Answer, to context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        // because the reference holds its mailbox until the library has let go of it
        Unmanaged<Mailbox>.fromOpaque(context).takeUnretainedValue().deliver(answer)
    }
}

/// The library calls these while it processes a result, on the loop's thread. They copy what they are given, for it is
/// gone when they return, and do nothing else.
extension AvahiDirectory {
    static let browseReply: DNSServiceBrowseReply = { _, flags, interface, failure, name, _, _, context in
        guard failure == kDNSServiceErr_NoError, let name else {
            return Mailbox.deliver(BrowseAnswer.failed(DirectoryFailure(failure)), to: context)
        }
        // What is not UTF-8 becomes replacement characters, never an unprintable name.
        let text = String(cString: name)
        Mailbox.deliver(
            Self.hasAppeared(flags)
                ? BrowseAnswer.appeared(name: text, interface: interface) : .vanished(name: text, interface: interface),
            to: context
        )
    }

    static let resolveReply: DNSServiceResolveReply = { _, _, _, failure, _, host, port, length, txt, context in
        guard failure == kDNSServiceErr_NoError, let host else {
            return Mailbox.deliver(ResolveAnswer.unanswered, to: context)
        }
        let bytes = txt.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) } ?? []
        Mailbox.deliver(
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
            return Mailbox.deliver(AddressAnswer.failed, to: context)
        }
        // A record of another length is no address; whoever sent it is not worth a word.
        guard let address = IPAddress(bytes: bytes, seenOn: interface) else { return }
        Mailbox.deliver(
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
            return Mailbox.deliver(TextAnswer.failed, to: context)
        }
        Mailbox.deliver(
            Self.hasAppeared(flags)
                ? TextAnswer.appeared(bytes, interface: interface) : .vanished(bytes, interface: interface),
            to: context
        )
    }

    private static func hasAppeared(_ flags: DNSServiceFlags) -> Bool {
        flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
    }

    /// What a record holds; nil where the question failed.
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
            return Mailbox.deliver(RegisterAnswer.failed(DirectoryFailure(failure)), to: context)
        }
        Mailbox.deliver(RegisterAnswer.established(name: String(cString: name)), to: context)
    }
}
