import Synchronization

/// What goes over some lanes, counted: the bytes that their users hand over and are handed, without what TLS adds.
public final class LaneTraffic: Sendable {
    private let receivedCount = Atomic<UInt64>(0)
    private let sentCount = Atomic<UInt64>(0)
    private let openCount = Atomic<Int>(0)

    /// Nothing yet.
    public init() {}

    /// How many bytes came.
    public var received: UInt64 { receivedCount.load(ordering: .relaxed) }
    /// How many bytes went.
    public var sent: UInt64 { sentCount.load(ordering: .relaxed) }
    /// How many of the lanes are open now.
    public var openLanes: Int { openCount.load(ordering: .relaxed) }

    func noteReceived(_ count: Int) { receivedCount.add(UInt64(count), ordering: .relaxed) }

    func noteSent(_ count: Int) { sentCount.add(UInt64(count), ordering: .relaxed) }

    func noteOpened() { openCount.add(1, ordering: .relaxed) }

    func noteEnded() { openCount.subtract(1, ordering: .relaxed) }
}
