import Digests
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// The ancestry of the versions of all games, as the daemons showed them.
struct Lineage {
    private var seen: [SnapshotID: Snapshot] = [:]
    /// The versions that each machine made of a folder since it joined the game, by machine and game.
    private var made: [Int: [Int: Set<SnapshotID>]] = [:]

    /// The manifest of an empty folder.
    private static let nothing = try? PieceID(of: SimulatedPlace.manifest(of: [:]).encoded, hashedBy: Digest.sha256)

    /// Notes the versions that a daemon shows.
    mutating func sees(_ versions: [Snapshot]) { for version in versions { seen[version.id] = version } }

    /// Forgets the versions of a machine whose user is about to leave a game: they leave with the machine.
    mutating func leaves(_ machine: Int, _ game: Int) { made[machine]?[game] = nil }

    /// Notes and checks a version that a machine says it has made of its folder.
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

    /// True if the sides of a merged version have the same files, or all sides but one have the files of a common
    /// ancestor.
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

    /// The versions that a machine made of a game's folder since it joined the game.
    func made(_ machine: Int, _ game: Int) -> Set<SnapshotID> { made[machine]?[game] ?? [] }

    /// The number of versions made by a machine that none of the newest versions includes.
    func loose(of game: Int, on machine: Int, _ newest: [Snapshot]) -> Int {
        made(machine, game).compactMap { seen[$0] }.count { version in
            !newest.contains { version.version.isWithin($0.version) }
        }
    }
}
