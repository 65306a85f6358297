import GameState
import Glibc
public import Ledger
public import LinuxPlatform
import SaveFolder
public import SaveRules
public import Vocabulary

/// The settings of games, and their changes.
@Engine
public final class GameSettings {
    private let services: SaveServices
    private let games: GameRegistry
    private let sessions: GameSessions

    init(_ services: SaveServices, _ games: GameRegistry, _ sessions: GameSessions) {
        (self.services, self.games, self.sessions) = (services, games, sessions)
    }

    /// Changes settings.
    ///
    /// The new settings may add files of the game to its folder: another folder, more of its files, a pattern fewer.
    /// These files are written there. If other files are there already, they are stored as a version of their own, as
    /// when a machine joins. Nothing is overwritten on any machine, and a file that was never here does not count as
    /// removed.
    /// - Parameter isAnew: true if the folder counts as another one, even if its path is the same
    /// - Returns: the error that kept the former folder from being read, if the game has moved out of it and all else
    ///   worked
    /// - Throws: ``SaveSyncError`` or an error of the folder; then the settings are as they were
    @discardableResult
    public func change(
        _ id: SaveSetID,
        inNewFolder isNew: Bool = false,
        _ change: @Engine (inout SaveSetEntry) throws -> Void
    ) async throws -> (any ExplainedError)? {
        try await games.changing.alone {
            let set = try games.game(id)
            try await set.set.requireDisk()
            var entry = set.entry
            if let refusal = set.machine.problems.misplaced, set.machine.isPrivate { throw refusal }
            try change(&entry)
            games.entering[id] = entry
            defer { games.entering[id] = nil }
            if set.machine.problems.misplaced != nil {
                // An error of the wanted place is not about the present one.
                guard let answer = try await services.placement.answer(entry) else {
                    let isSame = entry.path == set.entry.path
                    throw isSame ? SaveSyncError.silentDisk(of: set.entry) : .silentDisk(wanted: entry.path)
                }
                if let refusal = answer {
                    throw entry.isPlaced(as: set.entry) ? refusal.standing(in: set.entry.name) : refusal
                }
            }
            if !entry.hasSameFiles(as: set.entry), let refusal = try await misplacement(of: entry, insteadOf: set.entry)
            {
                throw refusal
            }
            try entry.checkSyntax()
            let question = OffloadedCall { [path = entry.path] in Self.isFile(path) }
            if entry.path != set.entry.path, try await services.placement.inTime(question, at: entry.path) {
                throw SaveSyncError.notFolder(entry.path)
            }
            return try await enter(entry, for: set, isNew: isNew)
        }
    }

    private nonisolated static func isFile(_ path: String) -> Bool {
        do throws(SystemError) { _ = try Folder(at: path) } catch { return error.number == ENOTDIR }
        return false
    }

    /// If two games have come to have files in common, for example through a changed link, patterns can still be
    /// changed.
    private func misplacement(of entry: SaveSetEntry, insteadOf former: SaveSetEntry) async throws -> SaveSyncError? {
        try await entry.isPlaced(as: former)
            ? services.placement.misplacement(of: entry) : games.misplacement(ofNew: entry)
    }

    private func enter(_ wanted: SaveSetEntry, for set: SaveSetRunner, isNew: Bool) async throws -> (
        any ExplainedError
    )? {
        let former = set.entry
        let isOther = isNew || !wanted.hasSameFiles(as: former) || set.machine.problems.misplaced != nil
        // A save that no scan has read yet is a successor of the last version, so it is read under the old settings
        // first.
        let unread: (any Error)? = isOther ? try await readsFirst(set) : nil
        // Half a save must not become the version of all machines.
        if let unread = unread as? SaveSyncError, unread.code == SaveSyncError.beingWrittenCode { throw unread }
        if isOther { await set.program.look() }
        // A game saves to the end in the folder in which it began.
        guard wanted.path == former.path || !set.machine.play.games.isRunning else {
            throw SaveSyncError.movedWhilePlayed
        }
        if wanted.program != former.program { set.play.endProgram() }
        do {
            guard isOther || wanted.program != former.program || wanted.settleMilliseconds != former.settleMilliseconds
            else {
                try await set.versions.adopt(wanted)
                return nil
            }
            try await set.set.whileChanging {
                // A game may have begun while earlier work in the folder ended.
                guard wanted.path == former.path || !set.machine.play.games.isRunning else {
                    throw SaveSyncError.movedWhilePlayed
                }
                await services.places.unwatch(set.id)
                do {
                    try await place(set, as: wanted, isOther: isOther, isNew: isNew, unread)
                } catch {
                    await games.watch(set)
                    throw error
                }
                await games.watch(set)
            }
        } catch is SaveSet.Left {
            throw SaveSyncError.unknownSet(set.id.description)
        }
        sessions.resume(set)
        return passedOver(former, unread)
    }

    /// Moves a game to the folder of its new settings, while no other work on it runs. If that fails, it stays in its
    /// former folder.
    private func place(
        _ set: SaveSetRunner,
        as wanted: SaveSetEntry,
        isOther: Bool,
        isNew: Bool,
        _ unread: (any Error)?
    ) async throws {
        let (former, formerPlace, shown) = (set.entry, set.place, set.machine.shown)
        let place = try services.places.place(of: wanted)
        var staysShown = !isNew && wanted.path == former.path
        if isOther, staysShown { staysShown = try await extends(set, to: wanted, at: place, unread: unread) }
        let isUsable = set.machine.problems.misplaced == nil
        try await set.versions.adopt(wanted, at: place, showing: staysShown ? shown?.id : nil)
        if !staysShown {
            do {
                try await set.set.atWorker { try await $0.startFresh(place) }
            } catch {
                try? await set.versions.adopt(former, at: formerPlace, showing: shown?.id)
                throw error
            }
            // Lost files of the former folder are not held back in this one.
            try? await set.steps.noteEmptied(nil)
        }
        set.resetFolder(nil)
        if isUsable { await set.recover() } else { await set.open() }
        if !staysShown, let shown { await set.steps.moveIn(shown, mayFill: set.machine.play.mayApply) }
        await set.versions.resume()
    }

    /// Uses a folder again whose disk gave no answer, or reports another obstacle.
    func comeBack(_ set: SaveSetRunner, _ misplaced: SaveSyncError?) async throws {
        try await set.set.whileChanging {
            set.resetFolder(misplaced)
            guard misplaced == nil else { return }
            await set.open()
            await set.versions.resume()
            await games.watch(set)
        }
        sessions.resume(set)
    }

    /// The error that kept a former folder from being read. If the user has moved the folder itself, there is nothing
    /// in it to read.
    private func passedOver(_ former: SaveSetEntry, _ unread: (any Error)?) -> SaveSyncError? {
        guard let unread, games[former.id]?.entry.path != former.path else { return nil }
        let error = unread as? any ExplainedError
        guard error?.code != SaveFolderError.notThere else { return nil }
        return .passedOver(former.path, error?.message ?? "\(unread)")
    }

    /// Scans a game's folder before its settings change. Returns the error if that failed: a folder can't be read if it
    /// was moved away, or if it has files that are left out from now on.
    /// - Throws: an error if the scan is still under way, because its disk gives no answer or the caller is cancelled.
    ///   A change would wait for it
    private func readsFirst(_ set: SaveSetRunner) async throws -> (any Error)? {
        // Nothing is done with its folder, so nothing waits for that.
        if let misplaced = set.machine.problems.misplaced { return misplaced }
        do {
            try await set.set.whileDiskAnswers { try await set.work.alone { try await set.steps.readSaved() } }
            return nil
        } catch let error as SaveSyncError where error.code == SaveSyncError.silentDiskCode {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            return error
        }
    }

    /// Adds to the folder the files that belong there by the new settings. Returns true if it still shows the same
    /// version.
    private func extends(
        _ set: SaveSetRunner,
        to entry: SaveSetEntry,
        at place: any SavePlace,
        unread: (any Error)?
    ) async throws -> Bool {
        guard let shown = set.machine.shown else { return true }
        let (former, settings) = (SetPlace(of: set.entry), SetPlace(of: entry))
        guard try await set.set.atWorker({ try await $0.extends(shown, from: former, to: settings) }) else {
            return true
        }
        if let unread { throw unread }
        guard set.machine.play.mayApply else { throw SaveSyncError.gameRuns }
        switch try await set.set.atWorker({ try await $0.extend(place, from: former, with: shown, services.bounds) }) {
        case .done: return true
        case .changedMeanwhile:
            // Other files in the places of the new ones are stored as a version of their own. The next scan finds any
            // other change.
            guard try await set.set.atWorker({ try await $0.isTaken(place, from: former, with: shown) }) else {
                throw SaveSyncError.folderStirs
            }
            return false
        case .inUse(let who): throw SaveSyncError.inUse(who)
        }
    }
}

extension SaveSetEntry {
    /// True if the same files belong to it.
    fileprivate func hasSameFiles(as other: SaveSetEntry) -> Bool {
        isPlaced(as: other) && scope == other.scope
    }

    /// True if it has the same folder and the same chosen names, whichever files its patterns leave out.
    fileprivate func isPlaced(as other: SaveSetEntry) -> Bool { path == other.path && chosen == other.chosen }

    /// Throws an error if its path or its rules can't be understood.
    func checkSyntax() throws {
        guard path.hasPrefix("/") else { throw SaveSyncError.notAbsolute }
        if let rules {
            guard rules.utf8.count <= SaveOffer.maximumRulesByteCount else {
                let limit = ByteCount(UInt64(SaveOffer.maximumRulesByteCount))
                throw SaveSyncError.unreadableRules("they have more than \(limit)")
            }
            do throws(StateError) { _ = try GameRules(parsing: rules) } catch {
                throw SaveSyncError.unreadableRules(error.message)
            }
        }
    }
}
