import LinuxPlatform
import SaveRules
import Session

/// The messages that wait to be sent to one peer, in order.
@Engine final class SaveOutbox {
    private var messages: [SaveMessage] = []
    private let filled = Waiters()
    private let limit: Int

    /// - Parameter limit: the number of messages that may wait
    init(limit: Int) { self.limit = limit }

    /// Adds a message. If only the latest message of its kind counts, earlier ones are removed. Returns false if too
    /// many wait.
    func add(_ message: SaveMessage) -> Bool {
        messages.removeAll { $0.isOutdated(by: message) }
        guard messages.count < limit else { return false }
        messages.append(message)
        filled.wake()
        return true
    }

    /// Waits for the next message.
    /// - Throws: `CancellationError`
    func next() async throws -> SaveMessage {
        while messages.isEmpty { try await filled.wait() }
        try Task.checkCancellation()
        return messages.removeFirst()
    }
}

extension SaveMessage {
    /// True if no machine needs this message once the other one is sent.
    fileprivate func isOutdated(by other: SaveMessage) -> Bool {
        guard set == other.set else { return false }
        return switch (self, other) {
        case (.heads, .heads), (.offer, .offer), (.claim, .claim), (.claim, .release), (.offer, .withdraw),
            (.release, .release), (.request, .request), (.cutOff, .cutOff), (.withdraw, .withdraw),
            (.progress, .progress),
            (.progress, .heads), (.offer, .pause), (.pause, .offer), (.pause, .pause), (.pause, .withdraw):
            true
        default: false
        }
    }
}
