import Digests
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// The versions of all games, as daemons showed them: from which of them each was made.
struct Lineage {
    private var seen: [SnapshotID: Snapshot] = [:]
    /// The versions that each machine made of a folder, by machine and game, since it has the game.
    private var made: [Int: [Int: Set<SnapshotID>]] = [:]

    /// The list of no file.
    private static let nothing = try? PieceID(of: SimulatedPlace.manifest(of: [:]).encoded, hashedBy: Digest.sha256)

    /// A daemon shows these versions.
    mutating func sees(_ versions: [Snapshot]) { for version in versions { seen[version.id] = version } }

    /// A user is about to leave a game. The machine takes its versions with it.
    mutating func leaves(_ machine: Int, _ game: Int) { made[machine]?[game] = nil }

    /// A machine says that it has made a version of what its folder held.
    mutating func captures(_ version: Snapshot, of game: Int, on machine: Int, _ folder: SimulatedFolder) throws {
        made[machine, default: [:]][game, default: []].insert(version.id)
        let (torn, shown) = folder.state.withLock { ($0.torn, $0.shown) }
        guard let contents = version.manifest.first?.id else { return }
        if torn.contains(contents) {
            throw Violation(words: "m\(machine) makes a version of half a save of game\(game)")
        }
        if contents == Self.nothing {
            throw Violation(words: "m\(machine) makes a version without files of game\(game), and no user has said so")
        }
        for parent in version.parents.compactMap({ seen[$0]?.manifest.first?.id }) where !shown.contains(parent) {
            throw Violation(words: "m\(machine) has a version follow one that its folder of game\(game) never held")
        }
    }

    /// True if the sides of a merged version hold the same, or all but one hold what all of them come from.
    func agree(on merged: Snapshot) -> Bool {
        let sides = merged.parents.compactMap { seen[$0] }
        guard sides.count == merged.parents.count else { return true }
        return sides.allSatisfy { side in
            side.manifest == merged.manifest
                || seen.values.contains { old in
                    old.manifest == side.manifest
                        && sides.allSatisfy { old.version.isWithin($0.version) && old.id != $0.id }
                }
        }
    }

    /// The versions that a machine made of a game's folder, since it has the game.
    func made(_ machine: Int, _ game: Int) -> Set<SnapshotID> { made[machine]?[game] ?? [] }

    /// How many of the versions that a machine made are included in none of the newest.
    func loose(of game: Int, on machine: Int, _ newest: [Snapshot]) -> Int {
        made(machine, game).compactMap { seen[$0] }.count { version in
            !newest.contains { version.version.isWithin($0.version) }
        }
    }
}
