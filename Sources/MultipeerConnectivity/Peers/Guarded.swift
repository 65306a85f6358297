import Foundation

/// Something behind a lock that need not be `Sendable` itself, such as an app's delegate, whose class is the app's matter.
///
/// `@unchecked Sendable` because the value is touched under the lock alone.
final class Guarded<Value>: @unchecked Sendable {
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
