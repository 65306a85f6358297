import Ledger
import LinuxPlatform
import Resources
import Vocabulary

extension Node {
    /// How long what was begun is kept for a sender that goes on with it.
    private nonisolated static let partialPatience: Int64 = 14 * 86_400

    /// Removes what was begun in a folder and has not been touched for two weeks. What is being received is left alone.
    public nonisolated func removeStalePartials(in folder: String) async throws {
        let before = FileTime(
            seconds: WallTime.now.secondsSince1970 - Self.partialPatience,
            nanoseconds: 0
        )
        try await runBlocking("tidy") {
            var failure: ResourceError?
            for stale in try StalePartial.list(in: folder, before: before) {
                // One that can't be removed keeps no other.
                do throws(ResourceError) { try stale.remove(in: folder) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }
}
