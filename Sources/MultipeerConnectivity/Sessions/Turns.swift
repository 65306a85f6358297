import LinuxPlatform
import Session

/// Lets a few at a time do something, in the order in which they came. Whoever takes long does not keep others from it for ever.
@Engine
final class Turns {
    private var free: Int
    private var waiting: [Resumption<Void>] = []
    private let patience: Duration

    /// - Parameters:
    ///   - count: how many at a time
    ///   - patience: after which a turn counts as over
    init(_ count: Int, patience: Duration) {
        free = count
        self.patience = patience
    }

    /// Does it when it is its turn, cancelled or not: whoever came later is waiting for that too.
    func take<Value>(_ work: @Engine () async throws -> Value) async rethrows -> Value {
        await begin()
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

    private func begin() async {
        guard free == 0 else { return free -= 1 }
        let turn = Resumption<Void>()
        waiting.append(turn)
        // It is not cancelled, and nobody lets it fail.
        try? await turn.value()
    }

    private func end() {
        guard !waiting.isEmpty else { return free += 1 }
        waiting.removeFirst().resume(with: .success(()))
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
