import LinuxPlatform
import Synchronization

/// The events of a session from now on, in order. A slow reader delays its peers and uses no unbounded memory.
public final class MCSessionEvents: AsyncSequence, Sendable {
    /// The element type.
    public typealias Element = MCSessionEvent
    /// It never fails.
    public typealias Failure = Never

    private let reader = Reader()

    init(of session: MCSession) {
        session.add(reader)
    }

    /// Creates the iterator of the loop.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Iterator of the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// The next event; nil when the task is cancelled.
        public mutating func next() async -> MCSessionEvent? { await reader.next() }
    }

    /// Events that wait for one loop.
    final class Reader: Sendable {
        private let state = Mutex(State())

        private struct State {
            var waiting: [(CoreEvent, DelegateQueue.Credit)] = []
            var wake: Resumption<Void>?
        }

        func add(_ event: CoreEvent, _ credit: DelegateQueue.Credit) {
            let wake = state.withLock { state in
                state.waiting.append((event, credit))
                defer { state.wake = nil }
                return state.wake
            }
            wake?.resume(with: .success(()))
        }

        func next() async -> MCSessionEvent? {
            while !Task.isCancelled {
                let wake = Resumption<Void>()
                let next = state.withLock { state in
                    if !state.waiting.isEmpty { return state.waiting.removeFirst().0 as CoreEvent? }
                    state.wake = wake
                    return nil
                }
                if let next { return MCSessionEvent(next) }
                try? await wake.valueUnlessCancelled()
            }
            return nil
        }
    }
}

extension MCSession {
    /// The events from now on, for one loop. It works beside a delegate; a stream goes to one of the two.
    public var events: MCSessionEvents { MCSessionEvents(of: self) }
}

extension MCSessionEvent {
    init(_ event: CoreEvent) {
        switch event {
        case .state(let peer, let state, let reason): self = .peer(peer, state, because: reason)
        case .data(let data, let peer): self = .data(data, from: peer)
        case .stream(let stream): self = .stream(MCIncomingStream(stream))
        case .resourceBegan(let resource):
            self = .resourceStarted(name: resource.name, from: resource.peer, progress: resource.progress)
        case .resourceEnded(let resource, .success(let file)): self = .resourceFinished(MCReceivedFile(resource, file))
        case .resourceEnded(let resource, .failure(let error)):
            self = .resourceFailed(name: resource.name, from: resource.peer, error)
        }
    }
}
