import LinuxPlatform
import SessionRules
import Synchronization
import Vocabulary
import Wire

/// The messages to one member of a session, which any thread may send. They outlive single links.
final class OutgoingMessages: Sendable {
    private let session: SessionID
    private let state: Mutex<State>

    private struct State {
        var window = SendWindow<ArraySlice<UInt8>>()
        var queue: ArraySlice<Waiting> = []
        /// The queue of the link; nil without a link, and after a cut until the peer has reported which messages it
        /// received.
        var outbox: LinkOutbox?
        var end: PartingReason?
    }

    /// A message whose sender waits for room. It shares the sender's bytes.
    private struct Waiting {
        let message: ArraySlice<UInt8>
        let isPut = Resumption<Void>()
    }

    /// - Parameter session: the id of the session on the wire between the two
    init(in session: SessionID, over outbox: LinkOutbox) {
        self.session = session
        state = Mutex(State(outbox: outbox))
    }

    /// The reason why no message can be sent; nil if messages can be sent.
    var end: PartingReason? { state.withLock { $0.end } }

    /// Sends a message if that needs no waiting.
    func sendAtOnce(_ message: ArraySlice<UInt8>) -> Bool {
        state.withLock { sendAtOnce(message, &$0) }
    }

    /// Sends a message when the window has room for it. While there is no link it waits in the window.
    nonisolated(nonsending) func send(_ message: ArraySlice<UInt8>) async throws {
        let waiting: Waiting? = try state.withLock { state throws(SessionError) in
            if let end = state.end { throw SessionError(end) }
            if sendAtOnce(message, &state) { return nil }
            let waiting = Waiting(message: message)
            state.queue.append(waiting)
            return waiting
        }
        guard let waiting else { return }
        do {
            try await waiting.isPut.valueUnlessCancelled()
        } catch {
            state.withLock { $0.queue.removeAll { $0.isPut === waiting.isPut } }
            throw error
        }
    }

    private func sendAtOnce(_ message: ArraySlice<UInt8>, _ state: inout State) -> Bool {
        guard state.end == nil, state.queue.isEmpty, state.window.hasRoom(for: message.count) else { return false }
        put(message, &state)
        return true
    }

    private func put(_ message: ArraySlice<UInt8>, _ state: inout State) {
        let sequence = state.window.send(message, byteCount: message.count)
        state.outbox?.put(MessageFrames(of: message, session: session, sequence: sequence))
    }

    /// Sends the messages for which there is room now, and returns their senders.
    private func sendWaiting(_ state: inout State) -> [Resumption<Void>] {
        var through: [Resumption<Void>] = []
        while let next = state.queue.first, state.window.hasRoom(for: next.message.count) {
            state.queue.removeFirst()
            put(next.message, &state)
            through.append(next.isPut)
        }
        return through
    }
}

// MARK: - Frames of the peer

extension OutgoingMessages {
    /// Takes the number of messages that the peer's program has taken.
    func acknowledge(_ consumed: UInt64) throws(ProtocolViolation) {
        let through = try state.withLock { state throws(ProtocolViolation) in
            try state.window.acknowledge(consumed)
            return sendWaiting(&state)
        }
        for turn in through { turn.resume(with: .success(())) }
    }

    /// Takes the number of messages that arrived whole before a cut. Sends the others again, then the waiting ones.
    func resume(received: UInt64, over outbox: LinkOutbox?) throws(ProtocolViolation) {
        let through = try state.withLock { state throws(ProtocolViolation) in
            let missing = try state.window.resume(received: received)
            state.outbox = outbox
            for message in missing {
                outbox?.put(MessageFrames(of: message.message, session: session, sequence: message.sequence))
            }
            return sendWaiting(&state)
        }
        for turn in through { turn.resume(with: .success(())) }
    }
}

// MARK: - Links that go

extension OutgoingMessages {
    /// Lets messages wait until there is a link again, and the peer has reported which ones it received.
    func cut() {
        state.withLock { $0.outbox = nil }
    }

    /// Ends the membership, and the waits of all senders.
    func end(because reason: PartingReason) {
        let waiting = state.withLock { state in
            state.end = reason
            state.outbox = nil
            defer { state.queue = [] }
            return state.queue
        }
        for turn in waiting { turn.isPut.resume(with: .failure(SessionError(reason))) }
    }
}
