import LinuxPlatform
import Vocabulary

/// Lets a few at a time do something: in turn for each of those for whom it is done, and for one of them in the order in which it came. So nobody who
/// wants much keeps others waiting. Whoever takes long does not keep others from it for ever either.
@Engine
final class Turns {
    private var free: Int
    /// None is empty. Whoever had a turn goes behind the others.
    private var queues: [Queue] = []
    private let patience: Duration

    private struct Queue {
        let client: PeerID
        var waiting: [Resumption<Void>]
    }

    /// - Parameters:
    ///   - count: how many at a time
    ///   - patience: after which a turn counts as over
    init(_ count: Int, patience: Duration) {
        free = count
        self.patience = patience
    }

    /// Does it when it is its turn, cancelled or not: whoever came later is waiting for that too.
    ///
    /// - Parameter client: for whom
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
        // It is not cancelled, and nobody lets it fail.
        try? await turn.value()
    }

    private func end() {
        guard !queues.isEmpty else { return free += 1 }
        var queue = queues.removeFirst()
        let next = queue.waiting.removeFirst()
        if !queue.waiting.isEmpty { queues.append(queue) }
        next.resume(with: .success(()))
    }

    /// Ends once.
    @Engine
    private final class Turn {
        private let turns: Turns
        private var isOver = false

        init(of turns: Turns) {
            self.turns = turns
        }

        func end() {
            guard !isOver else { return }
            isOver = true
            turns.end()
        }
    }
}
