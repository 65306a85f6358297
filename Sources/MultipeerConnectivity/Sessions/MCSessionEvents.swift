import LinuxPlatform
import Synchronization

/// What happens in a session from now on, in order. A reader that is slow holds up whoever sends to it, and nobody's memory.
public final class MCSessionEvents: AsyncSequence, Sendable {
    /// What comes out of it.
    public typealias Element = MCSessionEvent
    /// It never fails.
    public typealias Failure = Never

    private let reader = Reader()

    init(of session: MCSession) {
        session.add(reader)
    }

    /// Where the loop asks.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Where the loop asks.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// The next event; nil when the task is cancelled.
        public mutating func next() async -> MCSessionEvent? { await reader.next() }
    }

    /// What waits for one loop.
    final class Reader: Sendable {
        private let state = Mutex(State())

        private struct State {
            var waiting: [(Happening, Courier.Credit)] = []
            var wake: Resumption<Void>?
        }

        func add(_ happening: Happening, _ credit: Courier.Credit) {
            let wake = state.withLock { state in
                state.waiting.append((happening, credit))
                defer { state.wake = nil }
                return state.wake
            }
            wake?.resume(with: .success(()))
        }

        func next() async -> MCSessionEvent? {
            while !Task.isCancelled {
                let wake = Resumption<Void>()
                let next = state.withLock { state in
                    if !state.waiting.isEmpty { return state.waiting.removeFirst().0 as Happening? }
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
    /// What happens from now on, for one loop. It goes on beside a delegate; streams are for one of the two.
    public var events: MCSessionEvents { MCSessionEvents(of: self) }
}

extension MCSessionEvent {
    init(_ happening: Happening) {
        switch happening {
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
