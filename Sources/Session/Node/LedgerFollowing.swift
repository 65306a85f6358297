import Ledger
import LinuxPlatform
import Vocabulary

/// Takes up what other programs write into the ledger, whatever goes wrong meanwhile: a database that is locked or a disk that is
/// full for a moment must not make this machine deaf to a block.
@Engine
struct LedgerFollowing {
    let ledger: Ledger
    /// How long to wait before it is tried again; each further time twice as long, up to ``longestPause``.
    var pause = Duration.seconds(1)
    let takeUp: @Engine () async throws -> Void
    /// Told what went wrong, once until it has gone well again.
    let tell: @Engine (any ExplainedError) -> Void

    private static let longestPause = Duration.seconds(60)

    init(
        ledger: Ledger,
        pause: Duration = .seconds(1),
        takeUp: @escaping @Engine () async throws -> Void,
        tell: @escaping @Engine (any ExplainedError) -> Void
    ) {
        self.ledger = ledger
        self.pause = pause
        self.takeUp = takeUp
        self.tell = tell
    }

    /// Until the task is cancelled.
    func run() async {
        var pause = pause
        var isInTrouble = false
        while !Task.isCancelled {
            do {
                let changes = try await ledger.changes()
                if isInTrouble {
                    // What was written meanwhile.
                    try await takeUp()
                    (isInTrouble, pause) = (false, self.pause)
                }
                for try await _ in changes { try await takeUp() }
            } catch let error as any ExplainedError {
                if !isInTrouble { tell(error) }
                isInTrouble = true
                try? await Engine.loop.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            } catch {
                return
            }
        }
    }
}
