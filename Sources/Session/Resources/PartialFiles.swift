import Ledger
import LinuxPlatform
import Resources
import Vocabulary

/// The partial files of transfers in a folder.
public enum PartialFiles {
    /// The time after which a sender no longer continues a partial file.
    private static let partialPatience: Int64 = 14 * 86_400

    /// Removes the partial files in a folder that have not changed for two weeks, except those of running transfers.
    public static func removeStale(in folder: String) async throws {
        let before = FileTime(
            seconds: WallTime.now.secondsSince1970 - Self.partialPatience,
            nanoseconds: 0
        )
        try await runBlocking("tidy") {
            var failure: ResourceError?
            for stale in try StalePartial.list(in: folder, before: before) {
                // A file that can't be removed does not prevent the removal of others.
                do throws(ResourceError) { try stale.remove(in: folder) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }
}
