import LinuxPlatform

/// The events of a browser for one reader, beginning with the listed peers.
///
/// A slow reader receives fewer events, never wrong ones. For each peer at most one event waits: the difference between
/// the last event that the reader received and the present state. So the buffer never holds more than the list itself.
public final class DiscoveryEvents: AsyncSequence, Sendable {
    typealias Origin = FoundPeer.Origin

    private let box = SingleReaderBuffer(Pending())

    init() {}

    /// Waits for the next event; nil after the browser has ended or if the waiting task is cancelled. Only one task may
    /// wait.
    public func next() async -> DiscoveryEvent? { await box.next() }

    /// Iterator for the only reader.
    public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    /// Iterator of the events.
    public struct Iterator: AsyncIteratorProtocol {
        let events: DiscoveryEvents

        /// Waits for the next event.
        public mutating func next() async -> DiscoveryEvent? { await events.next() }
    }

    func tell(_ change: PeerTable.Change) {
        box.update { $0.add(change) }
    }

    func tell(_ notice: DiscoveryNotice) {
        box.update { $0.add(notice) }
    }

    func finish() { box.finish() }
}

extension DiscoveryEvents {
    /// For each peer the state that the reader knows and the present state; the difference is the event.
    private struct Pending: ReaderStore {
        private var reported: [Origin: FoundPeer] = [:]
        private var current: [Origin: (peer: FoundPeer?, reason: LossReason)] = [:]
        private var changed: [Origin] = []
        private var notices: [DiscoveryNotice] = []
        private var missedNotices = 0

        private static let noticeLimit = 32

        mutating func add(_ change: PeerTable.Change) {
            if current.updateValue((change.peer, change.reason), forKey: change.origin) == nil {
                changed.append(change.origin)
            }
        }

        mutating func add(_ notice: DiscoveryNotice) {
            if notices.count < Self.noticeLimit {
                notices.append(notice)
            } else {
                missedNotices += 1
            }
        }

        mutating func take() -> DiscoveryEvent? {
            if !notices.isEmpty { return .notice(notices.removeFirst()) }
            if missedNotices > 0 {
                defer { missedNotices = 0 }
                return .notice(.missed(missedNotices))
            }
            while !changed.isEmpty {
                let origin = changed.removeFirst()
                guard let (peer, reason) = current.removeValue(forKey: origin) else { continue }
                let before = reported[origin]
                reported[origin] = peer
                if let event = DiscoveryEvents.event(from: before, to: peer, because: reason) { return event }
            }
            return nil
        }
    }

    fileprivate static func event(from before: FoundPeer?, to now: FoundPeer?, because reason: LossReason)
        -> DiscoveryEvent?
    {
        switch (before, now) {
        case (nil, nil): nil
        case (nil, let peer?): peer.state == .present ? .found(peer) : .unreachable(peer)
        case (let peer?, nil): .lost(peer, reason)
        case (let old?, let new?) where old == new: nil
        case (let old?, let new?): change(from: old, to: new)
        }
    }

    private static func change(from old: FoundPeer, to new: FoundPeer) -> DiscoveryEvent {
        switch (old.state, new.state) {
        case (.present, .unreachable): .unreachable(new)
        case (.unreachable, .present): .returned(new)
        case (.present, .present), (.unreachable, .unreachable): .updated(new)
        }
    }
}
