import LinuxPlatform
import Vocabulary

/// A semaphore for a few operations at a time. Clients take turns, and each client's operations run in order, so that a
/// client with many operations delays no other. After a timeout, an operation's permit counts as released.
@Engine
final class FairSemaphore {
    private var free: Int
    /// No queue is empty. A client that had a turn goes to the end.
    private var queues: [Queue] = []
    private let patience: Duration

    private struct Queue {
        let client: PeerID
        var waiting: [Resumption<Void>]
    }

    /// - Parameters:
    ///   - count: number of simultaneous operations
    ///   - patience: time after which a permit counts as released
    init(_ count: Int, patience: Duration) {
        free = count
        self.patience = patience
    }

    /// Runs the work when it gets a permit, even if it was cancelled: later operations wait for its turn, too.
    ///
    /// - Parameter client: the client of the operation
    func take<Value>(for client: PeerID, _ work: @Engine () async throws -> Value) async rethrows -> Value {
        await begin(client)
        let turn = Turn(of: self)
        let patience = patience
        let timer = Engine.begin {
            if (try? await EventLoop.shared.sleep(for: patience)) != nil { turn.end() }
        }
        defer {
            timer.cancel()
            turn.end()
        }
        return try await work()
    }

    private func begin(_ client: PeerID) async {
        guard free == 0 else { return free -= 1 }
        let turn = Resumption<Void>()
        if let place = queues.firstIndex(where: { $0.client == client }) {
            queues[place].waiting.append(turn)
        } else {
            queues.append(Queue(client: client, waiting: [turn]))
        }
        // The wait has no cancellation, and no code makes it fail.
        try? await turn.value()
    }

    private func end() {
        guard !queues.isEmpty else { return free += 1 }
        var queue = queues.removeFirst()
        let next = queue.waiting.removeFirst()
        if !queue.waiting.isEmpty { queues.append(queue) }
        next.resume(with: .success(()))
    }

    /// A permit that ends once.
    @Engine
    private final class Turn {
        private let semaphore: FairSemaphore
        private var isOver = false

        init(of semaphore: FairSemaphore) {
            self.semaphore = semaphore
        }

        func end() {
            guard !isOver else { return }
            isOver = true
            semaphore.end()
        }
    }
}
