import LinuxPlatform
import SessionRules
import Synchronization

/// The speed of one direction, over all machines, channels and threads together.
///
/// Only the channels of files and streams use it. Messages and control frames have a channel of their own and never
/// wait.
final class SpeedLimiter: Sendable {
    private let bucket: Mutex<SpeedBucket>

    init(_ limit: SpeedLimit) { bucket = Mutex(SpeedBucket(limit, at: .now)) }

    /// The maximum number of bytes that move at once; nil without a limit.
    var part: Int? { bucket.withLock { $0.part } }

    /// Waits until bytes may be sent.
    func pause(for count: Int, on loop: EventLoop) async throws {
        let wait = bucket.withLock { $0.book(count, at: .now) }
        if wait > .zero { try await loop.sleep(for: wait) }
    }

    /// Waits until no debt is left.
    func pause(on loop: EventLoop) async throws {
        while true {
            let wait = bucket.withLock { $0.wait(at: .now) }
            guard wait > .zero else { return }
            try await loop.sleep(for: wait)
        }
    }

    /// Books bytes that arrived.
    func book(_ count: Int) { bucket.withLock { _ = $0.book(count, at: .now) } }

    func change(to limit: SpeedLimit) { bucket.withLock { $0.change(to: limit, at: .now) } }
}

/// The limits of both directions.
struct SpeedLimiters: Sendable {
    let sending: SpeedLimiter
    let receiving: SpeedLimiter

    init(_ configuration: NodeConfiguration) {
        sending = SpeedLimiter(configuration.limits.sending)
        receiving = SpeedLimiter(configuration.limits.receiving)
    }
}
