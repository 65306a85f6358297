import Foundation
import LinuxPlatform
import Session

/// Bytes from one side to the other, with room for some: one side waits as threads do, the other as tasks do.
///
/// `@unchecked Sendable` because everything in it is touched under the condition's lock alone.
final class BytePipe: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var first = 0
    private var isFinished = false
    private var failure: MCError?
    private var waiting: [Resumption<Void>] = []
    /// Told outside of the lock whenever something has changed.
    private var changed: @Sendable () -> Void = {}

    static let capacity = 256 << 10

    /// How things stand, for whoever asks without waiting.
    struct View {
        let count: Int
        let isFinished: Bool
        let failure: MCError?

        var hasSpace: Bool { failure == nil && !isFinished && count < BytePipe.capacity }
        var hasBytes: Bool { count > 0 }
        var isAtEnd: Bool { isFinished && count == 0 && failure == nil }
    }

    var view: View { locked { View(count: bytes.count - first, isFinished: isFinished, failure: failure) } }

    func whenChanged(_ work: @escaping @Sendable () -> Void) {
        locked { changed = work }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    /// Wakes whoever waits, on either side, where something has changed.
    private func change(_ body: () -> Bool) {
        condition.lock()
        guard body() else { return condition.unlock() }
        let (waiting, changed) = (waiting, changed)
        self.waiting = []
        condition.broadcast()
        condition.unlock()
        for turn in waiting { turn.resume(with: .success(())) }
        changed()
    }

    // MARK: As threads do

    /// Writes what there is room for, at least one byte, blocking until there is room; -1 where nobody takes it any more.
    func write(_ source: UnsafeBufferPointer<UInt8>) -> Int {
        var count = -1
        change {
            while failure == nil, !isFinished, bytes.count - first >= Self.capacity { condition.wait() }
            guard failure == nil, !isFinished else { return false }
            count = min(source.count, Self.capacity - (bytes.count - first))
            bytes.append(contentsOf: source.prefix(count))
            return true
        }
        return count
    }

    /// Reads at least one byte, blocking until there is one; 0 at the end, -1 where bytes are missing.
    func read(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = -1
        change {
            while failure == nil, !isFinished, bytes.count == first { condition.wait() }
            guard failure == nil || bytes.count > first else { return false }
            count = min(target.count, bytes.count - first)
            _ = target.update(fromContentsOf: bytes[first..<first + count])
            drop(count)
            return true
        }
        return count
    }

    private func drop(_ count: Int) {
        first += count
        if first == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            first = 0
        } else if first > Self.capacity / 2 {
            bytes.removeSubrange(..<first)
            first = 0
        }
    }

    // MARK: As tasks do

    /// All that is there, at least one byte; nil at the end.
    func take() async throws -> [UInt8]? {
        while true {
            let turn = Resumption<Void>()
            var taken: [UInt8]?
            var isOver = false
            var error: MCError?
            change {
                guard bytes.count > first else {
                    (error, isOver) = (failure, isFinished)
                    if error == nil, !isOver { waiting.append(turn) }
                    return false
                }
                taken = Array(bytes[first...])
                bytes.removeAll(keepingCapacity: true)
                first = 0
                return true
            }
            if let taken { return taken }
            if let error { throw error }
            if isOver { return nil }
            try await turn.valueUnlessCancelled()
        }
    }

    /// Puts bytes in when there is room for any; false where nobody reads any more.
    func put(_ new: [UInt8]) async throws -> Bool {
        while true {
            let turn = Resumption<Void>()
            var isPut: Bool?
            change {
                if failure != nil || isFinished {
                    isPut = false
                } else if bytes.count - first < Self.capacity {
                    bytes += new
                    isPut = true
                } else {
                    waiting.append(turn)
                }
                return isPut == true
            }
            if let isPut { return isPut }
            try await turn.valueUnlessCancelled()
        }
    }

    // MARK: Ending

    /// No more bytes come; what is there can still be read.
    func finish() {
        change {
            isFinished = true
            return true
        }
    }

    /// Bytes are missing.
    func fail(_ error: MCError) {
        change {
            guard failure == nil, !isFinished else { return false }
            failure = error
            return true
        }
    }

    /// Nobody reads any more.
    func discard() {
        change {
            isFinished = true
            bytes = []
            first = 0
            return true
        }
    }
}
