import Ledger
import LinuxPlatform
import SaveRules

/// Checks the folders of games: none may be or contain a reserved place, or share files with another game. Asks disks,
/// which may give no answer.
@Engine
final class FolderPlacement {
    /// The places that no game may contain, as the disks showed them when the daemon started. A disk is asked again
    /// only if the answer matters.
    private(set) var reserved: [ReservedPlace]
    private let refusal: @Sendable (SaveSetEntry, [ReservedPlace]) -> SaveSyncError?
    private let look: @Sendable (ReservedPlace) -> ReservedPlace
    private let resolve: @Sendable (String) -> ResolvedPath
    private let silence: Duration

    init(_ configuration: SaveConfiguration) {
        (reserved, refusal, look) = (configuration.reserved, configuration.refusal, configuration.look)
        (resolve, silence) = (configuration.resolve, configuration.bounds.patience.diskSilence)
    }

    /// Finds the reserved places. If a disk gives no answer, such as one with an inbox elsewhere, games still work.
    func findReserved() async throws {
        // One question for all places of one disk that follow each other, because each question takes a thread.
        let grounds = reserved.reduce(into: [[ReservedPlace]]()) { grounds, place in
            if grounds.last?.last?.ground != place.ground { grounds.append([]) }
            grounds[grounds.count - 1].append(place)
        }
        let questions = grounds.map { [look] places in (places, OffloadedCall { places.map(look) }) }
        let patience = ContinuousClock.Instant.current + silence
        var found: [ReservedPlace] = []
        for (places, question) in questions {
            found += try await question.answer(by: patience) ?? places.map(\.unresolved)
        }
        reserved = found
    }

    /// Asks why a game can't be in its folder. The disk may never answer.
    func question(_ entry: SaveSetEntry) -> OffloadedCall<SaveSyncError?> {
        OffloadedCall { [refusal, reserved] in refusal(entry, reserved) }
    }

    /// Returns the reason why a game can't be in its folder. The inner value is nil if it can, the outer one if the
    /// disk gives no answer.
    func answer(_ entry: SaveSetEntry) async throws -> SaveSyncError?? {
        try await question(entry).answer(by: .current + silence)
    }

    /// Returns the reason why a game can't be in its folder; nil if it can.
    /// - Throws: ``SaveSyncError`` if the disk gives no answer
    func misplacement(of entry: SaveSetEntry) async throws -> SaveSyncError? {
        try await inTime(question(entry), at: entry.path)
    }

    /// Returns the reason why a game can't be in its folder, if it is new there; nil if it can.
    /// - Parameter others: the other games, each with true if its disk is known to give no answer
    func misplacement(
        of entry: SaveSetEntry,
        beside others: [(entry: SaveSetEntry, isSilent: Bool)]
    ) async throws -> SaveSyncError? {
        if let refusal = try await misplacement(of: entry) { return refusal }
        let patience = ContinuousClock.Instant.current + silence
        let questions = others.filter { !$0.isSilent }
            .map { other in (other.entry, OffloadedCall { [resolve] in resolve(other.entry.path) }) }
        var places: [SaveSetID: ResolvedPath] = [:]
        // If a disk gives no answer, its path is compared as it is written.
        for (other, question) in questions { places[other.id] = try await question.answer(by: patience) }
        let place = try await inTime(OffloadedCall { [resolve] in resolve(entry.path) }, at: entry.path)
        let nested = others.first { other in
            let there = places[other.entry.id] ?? ResolvedPath(unresolved: other.entry.path)
            return FolderOverlap.exists(between: (place, entry.chosen), (there, other.entry.chosen))
        }
        return nested.map { .nested($0.entry.name) }
    }

    /// Returns the answer of a disk while a user waits.
    func inTime<Answer>(_ question: OffloadedCall<Answer>, at path: String) async throws -> Answer {
        guard let answer = try await question.answer(by: .current + silence) else {
            throw SaveSyncError.silentDisk(wanted: path)
        }
        return answer
    }
}
