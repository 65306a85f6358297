package import History
import Ledger
package import LinuxPlatform
public import SaveRules
import Vocabulary

/// The settings of ``SaveSyncEngine``.
public struct SaveConfiguration: Sendable {
    /// The context of invitations to sessions for saves.
    public static let context = Array("huddle-saves/1".utf8)

    /// The folder of the history. It is made if it does not exist.
    public var history: String
    /// Limits of what other machines may make this one store.
    public var bounds = SaveBounds()
    /// The waits of play locks.
    public var leases = LeasePatience()
    /// The places that no game may contain.
    package var reserved: [ReservedPlace] = []
    /// The calls by which the history changes the disk.
    package var storeCalls = StoreCalls.kernel
    /// Finds the reason why a game can't have its folder. Waits for the disk.
    var refusal: @Sendable (SaveSetEntry, [ReservedPlace]) -> SaveSyncError? = ReservedPlace.refusal
    /// Resolves one of those places. Waits for the disk.
    var look: @Sendable (ReservedPlace) -> ReservedPlace = { $0.resolved }
    /// Resolves a path. Waits for the disk.
    var resolve: @Sendable (String) -> ResolvedPath = { ResolvedPath($0) }
    /// Gives memory of the engine's thread back that it does not need while there is nothing to do.
    package var giveBack: @Sendable () -> Void = FreedMemory.giveBackEnd
    /// Milliseconds since 1970, for users to read.
    public var clock: @Sendable () -> Int64 = {
        let now = FileTime.now
        return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
    }

    /// Creates settings with the usual limits and waits.
    public init(history: String) { self.history = history }
}
