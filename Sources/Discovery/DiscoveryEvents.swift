import LinuxPlatform
import Synchronization

/// What a browser has to tell to one reader, beginning with the peers that are in the list already.
///
/// A slow reader is told less, never wrong: for each peer there is at most one event waiting, the difference between what
/// the reader was told last and what is true now. So the buffer never holds more than the list itself.
public final class DiscoveryEvents: AsyncSequence, Sendable {
    typealias Origin = FoundPeer.Origin

    private struct State {
        var told: [Origin: FoundPeer] = [:]
        var current: [Origin: (peer: FoundPeer?, reason: LossReason)] = [:]
        var changed: [Origin] = []
        var notices: [DiscoveryNotice] = []
        var missedNotices = 0
        var waiter: Resumption<DiscoveryEvent?>?
        var isFinished = false
    }

    private static let noticeLimit = 32

    private let state = Mutex(State())

    init() {}

    /// Waits for the next event; nil once the browser has ended or the waiting task is cancelled. One task may wait.
    public func next() async -> DiscoveryEvent? {
        let resumption = Resumption<DiscoveryEvent?>()
        let ready: DiscoveryEvent?? = state.withLock { state in
            if let event = Self.take(&state) { return .some(event) }
            if state.isFinished { return .some(nil) }
            precondition(state.waiter == nil, "two tasks wait for the events of one reader")
            state.waiter = resumption
            return nil
        }
        if let ready { return ready }
        return await withTaskCancellationHandler {
            (try? await resumption.value) ?? nil
        } onCancel: {
            state.withLock { if $0.waiter === resumption { $0.waiter = nil } }
            resumption.resume(with: .success(nil))
        }
    }

    /// Iterates over the events.
    public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    /// Hands out one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let events: DiscoveryEvents

        /// Waits for the next event.
        public mutating func next() async -> DiscoveryEvent? { await events.next() }
    }

    func tell(_ change: PeerTable.Change) {
        update { state in
            if state.current.updateValue((change.peer, change.reason), forKey: change.origin) == nil {
                state.changed.append(change.origin)
            }
        }
    }

    func tell(_ notice: DiscoveryNotice) {
        update { state in
            if state.notices.count < Self.noticeLimit {
                state.notices.append(notice)
            } else {
                state.missedNotices += 1
            }
        }
    }

    /// The reader gets what is still waiting, then the end.
    func finish() {
        update { $0.isFinished = true }
    }

    private func update(_ change: (inout State) -> Void) {
        let delivery: (Resumption<DiscoveryEvent?>, DiscoveryEvent?)? = state.withLock { state in
            change(&state)
            guard let waiter = state.waiter else { return nil }
            let event = Self.take(&state)
            guard event != nil || state.isFinished else { return nil }
            state.waiter = nil
            return (waiter, event)
        }
        delivery?.0.resume(with: .success(delivery?.1))
    }

    private static func take(_ state: inout State) -> DiscoveryEvent? {
        if !state.notices.isEmpty { return .notice(state.notices.removeFirst()) }
        if state.missedNotices > 0 {
            defer { state.missedNotices = 0 }
            return .notice(.missed(state.missedNotices))
        }
        while !state.changed.isEmpty {
            let origin = state.changed.removeFirst()
            guard let (peer, reason) = state.current.removeValue(forKey: origin) else { continue }
            let before = state.told[origin]
            state.told[origin] = peer
            if let event = event(from: before, to: peer, because: reason) { return event }
        }
        return nil
    }

    private static func event(from before: FoundPeer?, to now: FoundPeer?, because reason: LossReason)
        -> DiscoveryEvent?
    {
        switch (before, now) {
        case (nil, nil): nil
        case (nil, let peer?): .found(peer)
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
