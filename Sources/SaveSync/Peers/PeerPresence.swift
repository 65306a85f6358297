import LinuxPlatform
import Session
import Vocabulary

/// The presence of a peer in a session.
struct PeerPresence {
    /// The end of a session by the other side.
    enum End {
        /// The other side has ended it without wanting to: its program has restarted and knows nothing of the session.
        case forgotten
        /// The other side has ended a session that it had begun and offered nothing in. It may not have heard the latest offers of this side.
        case mayHaveMissedOffers
        case other
    }

    private enum State {
        case here
        case away
        /// The session is over, or about to be: nothing more reaches the peer by it.
        case ending(isHere: Bool)
    }

    private var state = State.here
    /// Since when the peer may be about to say what it has, or to be back; nil while it is away because its program has ended in order.
    private(set) var expectedSince: ContinuousClock.Instant? = .current
    /// How the other side has ended the session.
    private(set) var end = End.other

    /// True if the peer hears what this machine says.
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

    /// It is away, and was seen on the network: it may be back soon.
    mutating func wasSeen() { expectedSince = .current }

    /// The other side has ended the session.
    mutating func ended(_ end: End) { self.end = end }

    /// This side is about to end the session.
    mutating func ends() { state = .ending(isHere: isHere) }

    /// The session is over.
    mutating func isOver() { state = .ending(isHere: false) }
}
