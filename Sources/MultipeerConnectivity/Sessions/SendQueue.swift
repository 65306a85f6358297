import Foundation
import LinuxPlatform
import Synchronization

/// Messages of the app for one peer that the engine has not sent yet. The app never waits here; beyond the limit it
/// gets an error.
///
/// While the peer keeps up, the engine takes messages directly from the app's thread, and this queue is empty.
final class SendQueue: Sendable {
    private let state = Mutex(State())

    /// Maximum number of queued bytes per peer.
    static let limit = 64 << 20

    private struct State {
        var packets: [Waiting] = []
        var first = 0
        var byteCount = 0
        /// True if the engine has the first parts of a message whose rest is queued.
        var isInMessage = false
        var isOver = false
        var wake: Resumption<Void>?
        var waiting: [Resumption<Void>] = []
        /// Hands a packet to the engine; false if it would have to wait. Nil until the peer receives messages.
        var passOn: (@Sendable ([UInt8]) -> Bool)?

        mutating func takeWaiting() -> [Resumption<Void>] {
            defer { waiting = [] }
            return waiting
        }
    }

    private struct Waiting {
        var bytes: [UInt8]
        let isLast: Bool
    }

    /// Enables direct sending for messages after the queued packets.
    func begin(passingOn passOn: @escaping @Sendable ([UInt8]) -> Bool) {
        state.withLock { $0.passOn = passOn }
    }

    /// Queues messages again. A partial message ends with the session that received its first parts: the rest would
    /// look like a complete message.
    func pause() {
        let waiting = state.withLock { state in
            state.passOn = nil
            while state.isInMessage, state.first < state.packets.count {
                state.isInMessage = !state.packets[state.first].isLast
                state.byteCount -= state.packets[state.first].bytes.count
                state.packets[state.first].bytes = []
                state.first += 1
            }
            return state.takeWaiting()
        }
        for turn in waiting { turn.resume(with: .success(())) }
    }

    /// Queues a complete message. Returns true if there was room.
    func put(_ message: [[UInt8]]) -> Bool { put(message, orWaitWith: nil) == .taken }

    /// Queues it when there is room; returns false if the peer has left.
    func putWaiting(_ message: [[UInt8]]) async throws -> Bool {
        while true {
            let turn = Resumption<Void>()
            switch put(message, orWaitWith: turn) {
            case .taken: return true
            case .isOver: return false
            case .hasNoRoom: try await turn.valueUnlessCancelled()
            }
        }
    }

    private enum Answer {
        case taken
        case hasNoRoom
        case isOver
    }

    /// - Parameter turn: resumed when there may be room, if there was none
    private func put(_ message: [[UInt8]], orWaitWith turn: Resumption<Void>?) -> Answer {
        let (answer, wake): (Answer, Resumption<Void>?) = state.withLock { state in
            guard !state.isOver else { return (.isOver, nil) }
            var rest = message[...]
            if state.byteCount == 0, let passOn = state.passOn {
                rest = rest.drop(while: passOn)
                if rest.isEmpty { return (.taken, nil) }
                state.isInMessage = rest.count < message.count
            }
            let count = rest.reduce(0) { $0 + $1.count }
            // A message always fits into an empty queue.
            guard state.byteCount == 0 || state.byteCount + count <= Self.limit else {
                if let turn { state.waiting.append(turn) }
                return (.hasNoRoom, nil)
            }
            state.packets += rest.indices.map { Waiting(bytes: rest[$0], isLast: $0 == rest.endIndex - 1) }
            state.byteCount += count
            return (.taken, state.wake.take())
        }
        wake?.resume(with: .success(()))
        return answer
    }

    /// True if no packet waits.
    var isEmpty: Bool { state.withLock { $0.byteCount == 0 } }

    /// The next packet, for one reader; nil at the end. It counts until the following one is requested.
    func next() async -> [UInt8]? {
        while !Task.isCancelled {
            let wake = Resumption<Void>()
            let (next, isOver): ([UInt8]?, Bool) = state.withLock { state in
                if state.isOver { return (nil, true) }
                guard state.first < state.packets.count else {
                    state.packets.removeAll(keepingCapacity: state.first <= 64)
                    state.first = 0
                    state.wake = wake
                    return (nil, false)
                }
                defer { state.first += 1 }
                let next = state.packets[state.first]
                state.packets[state.first].bytes = []
                state.isInMessage = !next.isLast
                return (next.bytes, false)
            }
            if next != nil || isOver { return next }
            try? await wake.valueUnlessCancelled()
        }
        return nil
    }

    /// Notes that the engine has taken a packet.
    func sent(_ byteCount: Int) {
        let waiting = state.withLock { state in
            state.byteCount -= byteCount
            return state.takeWaiting()
        }
        for turn in waiting { turn.resume(with: .success(())) }
    }

    /// Drops the queued packets of a peer that has left.
    func end() {
        let (wake, waiting) = state.withLock { state in
            state.isOver = true
            state.packets = []
            state.first = 0
            state.passOn = nil
            return (state.wake.take(), state.takeWaiting())
        }
        wake?.resume(with: .success(()))
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
