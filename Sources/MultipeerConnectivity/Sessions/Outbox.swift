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
        var parcels: [[UInt8]] = []
        var first = 0
        var byteCount = 0
        var isOver = false
        var wake: Resumption<Void>?
        var waiting: [Resumption<Void>] = []
        /// Has the engine take a parcel; false where it would have to wait. Nil until the peer is to get messages.
        var passOn: (@Sendable ([UInt8]) -> Bool)?
    }

    /// From now on what comes after the parcels that wait need not lie here.
    func begin(passingOn passOn: @escaping @Sendable ([UInt8]) -> Bool) {
        state.withLock { $0.passOn = passOn }
    }

    /// Messages lie here again.
    func pause() {
        state.withLock { $0.passOn = nil }
    }

    /// Puts a message in, whole. Answers whether there was room.
    func put(_ message: [[UInt8]]) -> Bool {
        let (isTaken, wake): (Bool, Resumption<Void>?) = state.withLock { state in
            guard !state.isOver else { return (false, nil) }
            var message = message[...]
            if state.byteCount == 0, let passOn = state.passOn {
                message = message.drop(while: passOn)
                if message.isEmpty { return (true, nil) }
            }
            let count = message.reduce(0) { $0 + $1.count }
            // A message is never too large for an empty one.
            guard state.byteCount == 0 || state.byteCount + count <= Self.limit else { return (false, nil) }
            state.parcels += message
            state.byteCount += count
            defer { state.wake = nil }
            return (true, state.wake)
        }
        wake?.resume(with: .success(()))
        return isTaken
    }

    /// Puts it in when there is room; answers false where the peer is gone.
    func putWaiting(_ message: [[UInt8]]) async throws -> Bool {
        while !put(message) {
            let turn = Resumption<Void>()
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(turn) }
                return state.isOver
            }
            if isOver { return false }
            try await turn.valueUnlessCancelled()
        }
        return true
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
                state.parcels[state.first] = []
                return (next, false)
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
            defer { state.waiting = [] }
            return state.waiting
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
            defer {
                state.waiting = []
                state.wake = nil
            }
            return (state.wake, state.waiting)
        }
        wake?.resume(with: .success(()))
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
