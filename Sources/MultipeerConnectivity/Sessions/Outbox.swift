import Foundation
import LinuxPlatform
import Synchronization

/// What the app has sent to one peer and the engine has not taken yet. The app never waits here; it is told when it is too much.
///
/// As long as the peer keeps up the engine takes messages from the app's own thread, and nothing lies here.
final class Outbox: Sendable {
    private let state = Mutex(State())

    /// How much may wait for one peer.
    static let limit = 64 << 20

    private struct State {
        var parcels: [Waiting] = []
        var first = 0
        var byteCount = 0
        /// Whether the engine has the beginning of a message whose rest lies here.
        var isInMessage = false
        var isOver = false
        var wake: Resumption<Void>?
        var waiting: [Resumption<Void>] = []
        /// Has the engine take a parcel; false where it would have to wait. Nil until the peer is to get messages.
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

    /// From now on what comes after the parcels that wait need not lie here.
    func begin(passingOn passOn: @escaping @Sendable ([UInt8]) -> Bool) {
        state.withLock { $0.passOn = passOn }
    }

    /// Messages lie here again. One that was begun ends with whatever had its beginning: its rest would pass for a message of its own.
    func pause() {
        let waiting = state.withLock { state in
            state.passOn = nil
            while state.isInMessage, state.first < state.parcels.count {
                state.isInMessage = !state.parcels[state.first].isLast
                state.byteCount -= state.parcels[state.first].bytes.count
                state.parcels[state.first].bytes = []
                state.first += 1
            }
            return state.takeWaiting()
        }
        for turn in waiting { turn.resume(with: .success(())) }
    }

    /// Puts a message in, whole. Answers whether there was room.
    func put(_ message: [[UInt8]]) -> Bool { put(message, orWaitWith: nil) == .taken }

    /// Puts it in when there is room; answers false where the peer is gone.
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

    /// - Parameter turn: resumed as soon as there may be room, where there was none
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
            // A message is never too large for an empty one.
            guard state.byteCount == 0 || state.byteCount + count <= Self.limit else {
                if let turn { state.waiting.append(turn) }
                return (.hasNoRoom, nil)
            }
            state.parcels += rest.indices.map { Waiting(bytes: rest[$0], isLast: $0 == rest.endIndex - 1) }
            state.byteCount += count
            return (.taken, state.wake.take())
        }
        wake?.resume(with: .success(()))
        return answer
    }

    /// Whether anything waits.
    var isEmpty: Bool { state.withLock { $0.byteCount == 0 } }

    /// The next parcel, for one reader; nil when it is over. It counts until the one after it is asked for.
    func next() async -> [UInt8]? {
        while !Task.isCancelled {
            let wake = Resumption<Void>()
            let (next, isOver): ([UInt8]?, Bool) = state.withLock { state in
                if state.isOver { return (nil, true) }
                guard state.first < state.parcels.count else {
                    state.parcels.removeAll(keepingCapacity: state.first <= 64)
                    state.first = 0
                    state.wake = wake
                    return (nil, false)
                }
                defer { state.first += 1 }
                let next = state.parcels[state.first]
                state.parcels[state.first].bytes = []
                state.isInMessage = !next.isLast
                return (next.bytes, false)
            }
            if next != nil || isOver { return next }
            try? await wake.valueUnlessCancelled()
        }
        return nil
    }

    /// The engine has taken a parcel.
    func sent(_ byteCount: Int) {
        let waiting = state.withLock { state in
            state.byteCount -= byteCount
            return state.takeWaiting()
        }
        for turn in waiting { turn.resume(with: .success(())) }
    }

    /// The peer is gone, and what waited with it.
    func end() {
        let (wake, waiting) = state.withLock { state in
            state.isOver = true
            state.parcels = []
            state.first = 0
            state.passOn = nil
            return (state.wake.take(), state.takeWaiting())
        }
        wake?.resume(with: .success(()))
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
