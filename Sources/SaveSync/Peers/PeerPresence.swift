import LinuxPlatform
import Session
import Vocabulary

/// The presence of a peer in a session.
struct PeerPresence {
    /// The reason for which the other side has ended a session.
    enum End {
        /// The other side has not meant to end it: its program has restarted and knows nothing of the session.
        case forgotten
        /// The other side began the session, offered nothing in it, and ended it. It may not have heard the latest
        /// offers of this side.
        case mayHaveMissedOffers
        case other
    }

    private enum State {
        case here
        case away
        /// The session is over or about to be, so no further message reaches the peer by it.
        case ending(isHere: Bool)
    }

    private var state = State.here
    /// The moment since which the peer may be about to name what it has, or to be back. It is nil while the peer is
    /// away because its program has ended in order.
    private(set) var expectedSince: ContinuousClock.Instant? = .current
    /// The reason for which the other side has ended the session.
    private(set) var end = End.other

    /// True if messages of this machine reach the peer.
    var isHere: Bool {
        switch state {
        case .here, .ending(isHere: true): true
        case .away, .ending(isHere: false): false
        }
    }

    var isEnding: Bool { if case .ending = state { true } else { false } }

    mutating func left(because reason: PartingReason) {
        if isHere { expectedSince = reason == .shuttingDown ? nil : .current }
        state = isEnding ? .ending(isHere: false) : .away
    }

    mutating func returned() {
        state = isEnding ? .ending(isHere: true) : .here
        expectedSince = .current
    }

    /// Notes that the peer, which is away, was seen on the network. It may be back soon.
    mutating func wasSeen() { expectedSince = .current }

    /// Notes that the other side has ended the session.
    mutating func ended(_ end: End) { self.end = end }

    /// Notes that this side is about to end the session.
    mutating func ends() { state = .ending(isHere: isHere) }

    /// Notes that the session is over.
    mutating func isOver() { state = .ending(isHere: false) }
}
