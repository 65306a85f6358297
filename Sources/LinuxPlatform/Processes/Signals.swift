import CLinux
import Glibc

/// The signals that a program waits for, in the order of their arrival. Several of one kind that arrive together count
/// as one.
///
/// They must have been blocked before any thread was started, as ``Program/run(_:)`` does. Otherwise they would still
/// act on a thread that does not block them.
public final class Signals: Sendable, AsyncSequence {
    /// A signal that asks a program for something.
    public enum Signal: CInt, Sendable, CaseIterable {
        /// Reload the configuration.
        case hangUp = 1
        /// Ctrl-C.
        case interrupt = 2
        /// Shut down in order.
        case terminate = 15
    }

    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    init(on loop: EventLoop) throws(SystemError) {
        var mask = Self.mask
        descriptor = OwnedDescriptor(
            takingOwnershipOf: try retrying("signalfd") { signalfd(-1, &mask, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) }
        )
        self.loop = loop
    }

    static var mask: sigset_t {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in Signal.allCases { sigaddset(&mask, signal.rawValue) }
        return mask
    }

    /// Waits for the next signal; nil once the waiting task is cancelled.
    public func next() async -> Signal? {
        while !Task.isCancelled {
            if let signal = takeOne() { return signal }
            do { try await loop.waitUntil(.readable, descriptor.number) } catch { return nil }
        }
        return nil
    }

    /// Discards signals that have arrived and that no task has taken.
    public func forgetPending() {
        while takeOne() != nil {}
    }

    private func takeOne() -> Signal? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor.number, &info, size) == size else { return nil }
        return Signal(rawValue: CInt(info.ssi_signo))
    }

    /// Iterates over the signals as they arrive.
    public func makeAsyncIterator() -> Iterator { Iterator(signals: self) }

    /// Returns one signal after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let signals: Signals

        /// Waits for the next signal.
        public mutating func next() async -> Signal? { await signals.next() }
    }
}
