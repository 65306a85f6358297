import Foundation

/// A value behind a lock that need not be `Sendable`, such as an app's delegate.
///
/// `@unchecked Sendable` because the value is only used under the lock.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
