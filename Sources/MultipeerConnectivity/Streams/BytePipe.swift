import Foundation
import LinuxPlatform
import Session

/// A bounded pipe of bytes: one side blocks a thread, the other suspends a task.
///
/// `@unchecked Sendable` because everything in it is used under the condition's lock only.
final class BytePipe: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var first = 0
    private var isFinished = false
    private var failure: MCError?
    private var waiting: [Resumption<Void>] = []
    /// Called outside of the lock after each change.
    private var changed: @Sendable () -> Void = {}

    static let capacity = 256 << 10

    /// The present state, for callers that don't wait.
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

    /// Wakes both sides after a change.
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

    // MARK: Blocking side

    /// Writes as many bytes as fit, at least one, and blocks until there is room; -1 if the reader has ended.
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

    /// Reads at least one byte, and blocks until there is one; 0 at the end, -1 if bytes are missing.
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

    // MARK: Asynchronous side

    /// All available bytes, at least one; nil at the end.
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

    /// Adds bytes when there is room; false if the reader has ended.
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

    // MARK: End

    /// Ends the writing side; the remaining bytes can still be read.
    func finish() {
        change {
            isFinished = true
            return true
        }
    }

    /// Ends the pipe with missing bytes.
    func fail(_ error: MCError) {
        change {
            guard failure == nil, !isFinished else { return false }
            failure = error
            return true
        }
    }

    /// Ends the reading side.
    func discard() {
        change {
            isFinished = true
            bytes = []
            first = 0
            return true
        }
    }
}
