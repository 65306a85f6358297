public import Vocabulary

extension VersionState {
    /// The folder has settled and was read. Keep the snapshot and what it holds safely before anything leaves the machine.
    ///
    /// It follows what the folder showed, not what has arrived since. So a change that came in between makes a conflict and
    /// overwrites nothing.
    /// - Parameters:
    ///   - manifest: what the folder holds, by the pieces of the manifest
    ///   - time: milliseconds since 1970, for people to read
    ///   - isEmpty: whether it holds nothing; before the first snapshot that says nothing
    ///   - seal: this machine's
    /// - Returns: the snapshot; nil where nothing has changed
    public mutating func capture(
        _ manifest: [PieceReference],
        isEmpty: Bool = false,
        at time: Int64,
        sealedBy seal: VersionSeal
    ) -> (snapshot: Snapshot?, actions: [Action]) {
        let shown = applied.flatMap { graph[$0] }
        guard shown?.manifest != manifest, shown != nil || !isEmpty else { return (nil, []) }
        guard let snapshot = next(after: shown, manifest, .captured, at: time, sealedBy: seal) else { return (nil, []) }
        let actions = changing { heads in
            heads.keep(snapshot)
            heads.applied = snapshot.id
        }
        return (snapshot, actions)
    }

    /// A device that does not run Huddle has saved. Keep the snapshot and what it holds safely before anything leaves the machine.
    ///
    /// It follows the version that the device had. If another version is newer by now, both are kept as a conflict.
    /// - Parameters:
    ///   - manifest: all that the device has, by the pieces of the manifest
    ///   - base: the version that the device had; nil if it had none
    ///   - device: its name
    ///   - time: milliseconds since 1970, for people to read
    ///   - seal: this machine's
    /// - Returns: the snapshot; nil if a newest version or the base holds the same
    public mutating func takeIn(
        _ manifest: [PieceReference],
        over base: SnapshotID?,
        from device: Label,
        at time: Int64,
        sealedBy seal: VersionSeal
    ) throws(ChoiceRefusal) -> (snapshot: Snapshot?, actions: [Action]) {
        let known = base.flatMap { graph[$0] }
        guard base == nil || known != nil else { throw ChoiceRefusal(.notHere) }
        guard known?.manifest != manifest, !heads.contains(where: { graph[$0]?.manifest == manifest }) else {
            return (nil, [])
        }
        guard let snapshot = next(after: known, manifest, .foreign, at: time, note: device, sealedBy: seal) else {
            throw ChoiceRefusal(.versionFull)
        }
        return (snapshot, changing { $0.keep(snapshot) })
    }

    /// A version that has no room for another peer is no reason to lose what was saved: then it begins a history of its own,
    /// and a person merges the two.
    private func next(
        after shown: Snapshot?,
        _ manifest: [PieceReference],
        _ origin: Snapshot.Origin,
        at time: Int64,
        note: Label? = nil,
        sealedBy seal: VersionSeal
    ) -> Snapshot? {
        let follows = try? shown?.signedVersion.bumped(by: seal, in: graph.set, beyond: usedCounter)
        let version = try? follows ?? SignedVersion().bumped(by: seal, in: graph.set, beyond: usedCounter)
        guard let version else { return nil }
        var draft = Snapshot.Draft(set: graph.set, origin, version: version, manifest: manifest)
        draft.parents = follows == nil ? [] : shown.map { [$0.id] } ?? []
        (draft.time, draft.note) = (time, note)
        return snapshot(draft, sealedBy: seal)
    }

    /// The rules have merged two heads. Others may do the same at the same time; of what they make, the smaller name stays.
    /// - Parameters:
    ///   - one: one of the two that were to be merged
    ///   - other: the other
    ///   - manifest: what they hold together, by the pieces of the manifest
    ///   - seal: this machine's
    /// - Returns: the snapshot; nil if one of them is no longer a head, or no version has room for both
    public mutating func merged(
        _ one: SnapshotID,
        _ other: SnapshotID,
        into manifest: [PieceReference],
        sealedBy seal: VersionSeal
    ) -> (snapshot: Snapshot?, actions: [Action]) {
        guard one != other, heads.contains(one), heads.contains(other), let left = graph[one], let right = graph[other]
        else { return (nil, []) }
        guard let version = try? left.signedVersion.merged(with: right.signedVersion) else {
            return (nil, cannotMerge(one, other))
        }
        var draft = Snapshot.Draft(set: graph.set, .merged, version: version, manifest: manifest)
        draft.parents = [one, other].sorted()
        draft.time = max(left.time, right.time)
        let snapshot = snapshot(draft, sealedBy: seal)
        return (snapshot, changing { $0.keep(snapshot) })
    }

    /// The rules have no way to merge these two: a person has to choose.
    public mutating func cannotMerge(_ one: SnapshotID, _ other: SnapshotID) -> [Action] {
        changing { heads in
            if heads.heads.contains(one), heads.heads.contains(other) {
                heads.unmergeable.insert([one, other].sorted())
            }
        }
    }

    /// A version of this machine could not be stored everywhere, and is forgotten. It may be found in history one day, so its number is
    /// not used again.
    public mutating func forgo(_ other: VersionState) {
        usedCounter = max(usedCounter, other.usedCounter)
    }

    /// A snapshot of our own making, whose contents are here.
    mutating func keep(_ snapshot: Snapshot) {
        do throws(SaveRefusal) { try graph.insert(snapshot) } catch {
            preconditionFailure("a snapshot of our own follows from its parents: \(error)")
        }
        usedCounter = max(usedCounter, snapshot.version[own])
        held.insert(snapshot.id)
        heads = graph.heads(heads, joinedBy: snapshot.id)
    }

    func snapshot(_ draft: Snapshot.Draft, sealedBy seal: VersionSeal) -> Snapshot {
        precondition(seal.owner == own, "a machine signs in its own name")
        do throws(SaveFormatError) { return try Snapshot(draft, sealedBy: seal) } catch {
            preconditionFailure("a snapshot of our own keeps the rules: \(error)")
        }
    }
}
