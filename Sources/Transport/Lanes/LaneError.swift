public import LinuxPlatform
public import Vocabulary

/// Why a lane could not be had, or why it ended.
public enum LaneError: ExplainedError, Equatable {
    /// Nothing could be reached at the address.
    case unreachable(SocketAddress, SystemError)
    /// The other side did not answer in time.
    case timedOut
    /// Somebody answered, and with another key than expected.
    case keyChanged(expected: PeerID, found: PeerID)
    /// What answered is no peer: it speaks something else. The text says what it did.
    case notAPeer(String)
    /// What answered speaks TLS, and refuses every version of the protocol that this side has.
    case noCommonVersion
    /// What answered has no certificate of a peer.
    case badCertificate
    /// The other side refused, with this alert of TLS.
    case refused(String)
    /// The connection broke, without a goodbye. Bytes may be missing.
    case lost(SystemError?)
    /// The lane was closed on this side.
    case closed
    /// The task that waited was cancelled. A receiver loses nothing by it; a sender may have sent a part.
    case cancelled

    /// The case as a stable word.
    public var code: ErrorCode {
        switch self {
        case .unreachable: ErrorCode(.offline, "lane.unreachable")
        case .timedOut: ErrorCode(.timedOut, "lane.timed-out")
        case .keyChanged: ErrorCode(.keyChanged, "lane.key-changed")
        case .notAPeer: ErrorCode(.interrupted, "lane.not-a-peer")
        case .noCommonVersion: ErrorCode(.incompatible, "lane.no-common-version")
        case .badCertificate: ErrorCode(.interrupted, "lane.bad-certificate")
        case .refused: ErrorCode(.interrupted, "lane.refused")
        case .lost: ErrorCode(.interrupted, "lane.lost")
        case .closed: ErrorCode(.interrupted, "lane.closed")
        case .cancelled: ErrorCode(.interrupted, "lane.cancelled")
        }
    }

    /// What happened.
    public var message: String {
        switch self {
        case .unreachable(let address, _): "nobody could be reached at \(address)"
        case .timedOut: "the other side did not answer in time"
        case .keyChanged(let expected, let found):
            "somebody answered with the key \(found.short) where \(expected.short) was expected"
        case .notAPeer(let reason):
            "what answered does not speak Huddle's protocol: \(PrintableText(reason, limit: 200))"
        case .noCommonVersion: "what answered speaks no version of Huddle's protocol that this machine knows"
        case .badCertificate: "what answered does not show a peer's certificate"
        case .refused(let alert): "the other side refused the connection: \(PrintableText(alert, limit: 200))"
        case .lost: "the connection broke"
        case .closed: "the connection was closed on this side"
        case .cancelled: "the wait was cancelled"
        }
    }

    /// What to do.
    public var nextStep: String {
        switch self {
        case .unreachable, .timedOut: "see whether the other machine is on and huddle runs there, then try again"
        case .keyChanged:
            "if that machine was installed anew, forget its old key and accept the new one; else somebody may pretend to be it"
        case .notAPeer, .badCertificate: "check the address and port: another program listens there"
        case .noCommonVersion: "bring huddle up to date on both machines, and check that the port is huddle's"
        case .refused: "look into the other machine's log"
        case .lost, .closed, .cancelled: "connect again"
        }
    }

    /// What the kernel said.
    public var cause: (any Error)? {
        switch self {
        case .unreachable(_, let error): error
        case .lost(let error): error
        default: nil
        }
    }
}
