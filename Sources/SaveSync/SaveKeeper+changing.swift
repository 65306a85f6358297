import Glibc
public import Ledger
import LinuxPlatform
import SaveFolder
public import SaveRules
public import Vocabulary

/// Settings of sets that are here.
extension SaveKeeper {
    /// Changes settings.
    ///
    /// Where they bring something of the set here that was not in its folder before (another folder, more of its files, a pattern fewer), it is put
    /// there. Where something else lies there already it is kept as a version of its own, as for one who joins, and nothing is overwritten,
    /// neither here nor elsewhere: a file that was never here must not be taken for one that was removed.
    /// - Parameter isAnew: whether the folder counts as another one, also where its path is the same
    /// - Returns: what could not be done, though all else was: what a folder held that the set lies in no more, and nobody has read
    /// - Throws: ``SaveSyncError`` or what the folder threw; then the settings are as they were
    @discardableResult
    public func change(
        _ id: SaveSetID,
        inNewFolder isAnew: Bool = false,
        _ change: @Engine (inout SaveSetEntry) throws -> Void
    ) async throws -> (any ExplainedError)? {
        try await changing.alone {
            let set = try set(id)
            try await requireDisk(of: set)
            var entry = set.entry
            if let refusal = set.machine.problems.misplaced, set.machine.isPrivate { throw refusal }
            try change(&entry)
            entering[id] = entry
            defer { entering[id] = nil }
            if set.machine.problems.misplaced != nil {
                // What is said of a place that it is to have is not about the one that it has.
                guard let answer = try await services.placement.answer(entry) else {
                    let isSame = entry.path == set.entry.path
                    throw isSame ? SaveSyncError.silentDisk(of: set.entry) : .silentDisk(wanted: entry.path)
                }
                if let refusal = answer {
                    throw entry.isPlaced(as: set.entry) ? refusal.standing(in: set.entry.name) : refusal
                }
            }
            if !entry.liesAs(set.entry), let refusal = try await misplacement(of: entry, insteadOf: set.entry) {
                throw refusal
            }
            try checkSettings(entry)
            let question = OffloadedCall { [path = entry.path] in Self.isFile(path) }
            if entry.path != set.entry.path, try await services.placement.inTime(question, at: entry.path) {
                throw SaveSyncError.notFolder(entry.path)
            }
            return try await enter(entry, for: set, isAnew: isAnew)
        }
    }

    /// What waits for a disk that gives no answer can't be ended, and whoever would wait for it would hold up the settings of all sets.
    func requireDisk(of set: SaveSetRunner) async throws {
        if let silent = set.machine.problems[.disk] { throw silent.error }
        guard set.machine.problems.misplaced == nil else { return }
        // One that nobody has asked for anything since it hangs is not known yet.
        guard try await services.placement.answer(set.entry) != nil else {
            throw SaveSyncError.silentDisk(under: set.entry)
        }
        // What is done in its folder is waited for, and may be what hangs, though what was asked just now was known without the disk.
        try await set.set.whileDiskAnswers { await set.work.alone {} }
        guard set.machine.isShared else { throw SaveSyncError.unknownSet(set.id.description) }
    }

    private nonisolated static func isFile(_ path: String) -> Bool {
        do throws(SystemError) { _ = try Folder(at: path) } catch { return error.number == ENOTDIR }
        return false
    }

    /// Where two sets have come to have something in common, as when a link was turned, patterns can be changed all the same.
    private func misplacement(of entry: SaveSetEntry, insteadOf former: SaveSetEntry) async throws -> SaveSyncError? {
        try await entry.isPlaced(as: former) ? services.placement.misplacement(of: entry) : misplacementAnew(of: entry)
    }

    private func enter(_ wanted: SaveSetEntry, for set: SaveSetRunner, isAnew: Bool) async throws -> (
        any ExplainedError
    )? {
        let former = set.entry
        let isOther = isAnew || !wanted.liesAs(former) || set.machine.problems.misplaced != nil
        // What was saved under the old settings and nobody has read yet follows what came before it.
        let unread: (any Error)? = isOther ? try await readsFirst(set) : nil
        // What is half a save now would be what all others get.
        if let unread = unread as? SaveSyncError, unread.code == SaveSyncError.beingWrittenCode { throw unread }
        if isOther { await set.program.look() }
        // It goes on saving where it began.
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
                // One may have begun while what was queued before was done.
                guard wanted.path == former.path || !set.machine.play.games.isRunning else {
                    throw SaveSyncError.movedWhilePlayed
                }
                await services.places.unwatch(set.id)
                do {
                    try await place(set, as: wanted, isOther: isOther, isAnew: isAnew, unread)
                } catch {
                    await watch(set)
                    throw error
                }
                await watch(set)
            }
        } catch is SaveSet.Left {
            throw SaveSyncError.unknownSet(set.id.description)
        }
        await arrive(set)
        return passedOver(former, unread)
    }

    /// Puts a set where it is to be, while nothing else is done to it. If that fails, it stays where it was.
    private func place(
        _ set: SaveSetRunner,
        as wanted: SaveSetEntry,
        isOther: Bool,
        isAnew: Bool,
        _ unread: (any Error)?
    ) async throws {
        let (former, formerPlace, shown) = (set.entry, set.place, set.machine.shown)
        let place = try services.places.place(of: wanted)
        var stands = !isAnew && wanted.path == former.path
        if isOther, stands { stands = try await extends(set, to: wanted, at: place, unread: unread) }
        let isUsable = set.machine.problems.misplaced == nil
        try await set.versions.adopt(wanted, at: place, showing: stands ? shown?.id : nil)
        if !stands {
            do {
                try await set.set.atWorker { try await $0.beginAnew(place) }
            } catch {
                try? await set.versions.adopt(former, at: formerPlace, showing: shown?.id)
                throw error
            }
            // What was held back there is no matter of this folder.
            try? await set.steps.noteEmptied(nil)
        }
        set.resetFolder(nil)
        if isUsable { await recover(set) } else { await open(set) }
        if !stands, let shown { await set.steps.moveIn(shown, mayFill: set.machine.play.mayApply) }
        await set.versions.resume()
    }

    /// Tells all sharers of a set whose settings are new, and meets those that may have been waiting for its folder.
    private func arrive(_ set: SaveSetRunner) async {
        for peer in connections.peers.values
        where set.machine.sharers.contains(peer.id) && peer.offered.contains(set.id) {
            if set.sessions[peer.id] == nil { set.exchange.meets(peer) }
        }
        spread(set)
    }

    /// Uses a folder again whose disk gave no answer, or says what else keeps it from that.
    func comeBack(_ set: SaveSetRunner, _ misplaced: SaveSyncError?) async throws {
        try await set.set.whileChanging {
            set.resetFolder(misplaced)
            guard misplaced == nil else { return }
            await open(set)
            await set.versions.resume()
            await watch(set)
        }
        await arrive(set)
    }

    /// What a folder held that the set lies in no more. One that was moved as it is, is not there, and nothing was passed over.
    private func passedOver(_ former: SaveSetEntry, _ unread: (any Error)?) -> SaveSyncError? {
        guard let unread, sets[former.id]?.entry.path != former.path else { return nil }
        let error = unread as? any ExplainedError
        guard error?.code != SaveFolderError.notThere else { return nil }
        return .passedOver(former.path, error?.message ?? "\(unread)")
    }

    /// What lies right in the folder of a set's newest version, and is none of what was chosen of it here.
    public func omittedNames(in id: SaveSetID) async -> [FileName] {
        guard let set = try? set(id), let chosen = set.entry.chosen, let newest = set.machine.heads.heads.first else {
            return []
        }
        guard set.machine.heads.held.contains(newest), let version = set.machine.heads.graph[newest] else { return [] }
        let names = (try? await services.reader.names(in: version, scope: set.entry.scope)) ?? []
        return names.filter { !chosen.names.contains($0) }
    }

    /// Why a set's folder could not be read. One that was moved away, or holds what is to be left out from now on, can't.
    /// - Throws: where it is still being read, and whoever changed it now would wait for that: its disk gives no answer, or nobody waits any more
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

    /// Puts into the folder what its new settings bring there. Answers whether it shows then what it showed before.
    private func extends(
        _ set: SaveSetRunner,
        to entry: SaveSetEntry,
        at place: any SavePlace,
        unread: (any Error)?
    ) async throws -> Bool {
        guard let shown = set.machine.shown else { return true }
        let (former, settings) = (SetPlace(of: set.entry), SetPlace(of: entry))
        guard try await set.set.atWorker({ try await $0.brings(shown, from: former, to: settings) }) else {
            return true
        }
        if let unread { throw unread }
        guard set.machine.play.mayApply else { throw SaveSyncError.gameRuns }
        switch try await set.set.atWorker({ try await $0.extend(place, from: former, with: shown, services.bounds) }) {
        case .done: return true
        case .changedMeanwhile:
            // What is new here and lies there already is kept as a version of its own. A change of anything else is none of its matter.
            guard try await set.set.atWorker({ try await $0.isTaken(place, from: former, with: shown) }) else {
                throw SaveSyncError.folderStirs
            }
            return false
        case .inUse(let who): throw SaveSyncError.inUse(who)
        }
    }
}

extension SaveSetEntry {
    /// Whether the same files are meant.
    fileprivate func liesAs(_ other: SaveSetEntry) -> Bool {
        isPlaced(as: other) && scope == other.scope
    }

    /// Whether it lies in the same place, whatever of that is left out.
    fileprivate func isPlaced(as other: SaveSetEntry) -> Bool { path == other.path && chosen == other.chosen }
}
