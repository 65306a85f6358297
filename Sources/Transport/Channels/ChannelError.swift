public import LinuxPlatform
public import Vocabulary

/// A failure to open a channel, or the reason why one ended.
public enum ChannelError: ExplainedError, Equatable {
    /// The address could not be reached.
    case unreachable(SocketAddress, SystemError)
    /// The other side did not answer in time.
    case timedOut
    /// A machine with another key than the expected one answered.
    case keyChanged(expected: PeerID, found: PeerID)
    /// The other side speaks another protocol. The text describes what it did.
    case notAPeer(String)
    /// The other side speaks TLS, but no version of the protocol that this side knows.
    case noCommonVersion
    /// The other side has no certificate of a peer.
    case badCertificate
    /// The other side refused with this alert of TLS.
    case refused(String)
    /// The connection broke without a clean end. Bytes may be missing.
    case lost(SystemError?)
    /// The channel was closed on this side.
    case closed
    /// The waiting task was cancelled. A receiver loses nothing by it; a sender may have sent a part.
    case cancelled

    /// The case as a stable word.
    public var code: ErrorCode {
        switch self {
        case .unreachable: ErrorCode(.offline, "channel.unreachable")
        case .timedOut: ErrorCode(.timedOut, "channel.timed-out")
        case .keyChanged: ErrorCode(.keyChanged, "channel.key-changed")
        case .notAPeer: ErrorCode(.interrupted, "channel.not-a-peer")
        case .noCommonVersion: ErrorCode(.incompatible, "channel.no-common-version")
        case .badCertificate: ErrorCode(.interrupted, "channel.bad-certificate")
        case .refused: ErrorCode(.interrupted, "channel.refused")
        case .lost: ErrorCode(.interrupted, "channel.lost")
        case .closed: ErrorCode(.interrupted, "channel.closed")
        case .cancelled: ErrorCode(.interrupted, "channel.cancelled")
        }
    }

    /// The description of the failure.
    public var message: String {
        switch self {
        case .unreachable(let address, _): "no machine could be reached at \(address)"
        case .timedOut: "the other side did not answer in time"
        case .keyChanged(let expected, let found):
            "the machine that answered has the key \(found.short), not \(expected.short)"
        case .notAPeer(let reason):
            "the other side does not speak Huddle's protocol: \(PrintableText(reason, limit: 200))"
        case .noCommonVersion: "the other side speaks no version of Huddle's protocol that this machine knows"
        case .badCertificate: "the other side does not show a peer's certificate"
        case .refused(let alert): "the other side refused the connection: \(PrintableText(alert, limit: 200))"
        case .lost: "the connection broke"
        case .closed: "the connection was closed on this side"
        case .cancelled: "the wait was cancelled"
        }
    }

    /// The advice to the user.
    public var nextStep: String {
        switch self {
        case .unreachable, .timedOut: "check that the other machine is on and huddled runs there, then try again"
        case .keyChanged:
            "if that machine was reinstalled, forget its old key and pair it; otherwise another may pretend to be it"
        case .notAPeer, .badCertificate: "check the address and port: another program listens there"
        case .noCommonVersion: "update huddle on both machines, and check that the port is huddle's"
        case .refused: "read the other machine's log"
        case .lost, .closed, .cancelled: "connect again"
        }
    }

    /// The error of the kernel, or nil.
    public var cause: (any Error)? {
        switch self {
        case .unreachable(_, let error): error
        case .lost(let error): error
        default: nil
        }
    }
}
