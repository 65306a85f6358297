import LinuxPlatform
import Vocabulary

/// Handles changes that other programs make in the store. It retries after each failure. A database that is locked or a
/// disk that is full for a moment must not hide a block from this machine.
@Engine
struct StoreFollower {
    let store: any PeerStore
    /// The wait before the first retry. Each further wait is twice as long, up to ``longestPause``.
    var pause = Duration.seconds(1)
    let handleChange: @Engine () async throws -> Void
    /// Receives the first failure after each success.
    let report: @Engine (any ExplainedError) -> Void

    private static let longestPause = Duration.seconds(60)

    init(
        _ store: any PeerStore,
        pause: Duration = .seconds(1),
        handleChange: @escaping @Engine () async throws -> Void,
        report: @escaping @Engine (any ExplainedError) -> Void
    ) {
        self.store = store
        self.pause = pause
        self.handleChange = handleChange
        self.report = report
    }

    /// Runs until the task is cancelled.
    func run() async {
        var pause = pause
        var isInTrouble = false
        while !Task.isCancelled {
            do {
                let changes = try await store.otherChanges()
                if isInTrouble {
                    // Other programs may have written while this one did not follow.
                    try await handleChange()
                    (isInTrouble, pause) = (false, self.pause)
                }
                for try await _ in changes { try await handleChange() }
            } catch let error as any ExplainedError {
                if !isInTrouble { report(error) }
                isInTrouble = true
                try? await Engine.loop.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            } catch {
                return
            }
        }
    }
}
