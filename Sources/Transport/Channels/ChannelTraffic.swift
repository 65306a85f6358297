import Synchronization

/// Counters of the bytes over some channels, without the overhead of TLS.
public final class ChannelTraffic: Sendable {
    private let receivedCount = Atomic<UInt64>(0)
    private let sentCount = Atomic<UInt64>(0)
    private let openCount = Atomic<Int>(0)

    /// Makes counters at zero.
    public init() {}

    /// The number of received bytes.
    public var received: UInt64 { receivedCount.load(ordering: .relaxed) }
    /// The number of sent bytes.
    public var sent: UInt64 { sentCount.load(ordering: .relaxed) }
    /// The number of these channels that are open now.
    public var openChannels: Int { openCount.load(ordering: .relaxed) }

    func noteReceived(_ count: Int) { receivedCount.add(UInt64(count), ordering: .relaxed) }

    func noteSent(_ count: Int) { sentCount.add(UInt64(count), ordering: .relaxed) }

    func noteOpened() { openCount.add(1, ordering: .relaxed) }

    func noteEnded() { openCount.subtract(1, ordering: .relaxed) }
}
