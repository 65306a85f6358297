public import Vocabulary

extension VersionState {
    /// Makes a version after a scan of the folder. Store the version and its content before anything leaves the
    /// machine.
    ///
    /// Its parent is the version that the folder showed, not one that has arrived since. So a change that came in
    /// between makes a conflict and overwrites nothing.
    /// - Parameters:
    ///   - manifest: the content of the folder, by the pieces of the manifest
    ///   - isEmpty: true if the folder has no files; before the first version, such a scan makes none
    ///   - time: milliseconds since 1970, for users
    ///   - seal: this machine's key
    /// - Returns: the version; nil if nothing has changed
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

    /// Makes a version after a device that does not run Huddle has saved. Store the version and its content before
    /// anything leaves the machine.
    ///
    /// Its parent is the version that the device had. If another version is newer by now, both stay as a conflict.
    /// - Parameters:
    ///   - manifest: all files of the device, by the pieces of the manifest
    ///   - base: the version that the device had; nil if it had none
    ///   - device: the name of the device
    ///   - time: milliseconds since 1970, for users
    ///   - seal: this machine's key
    /// - Returns: the version; nil if a head or the base has the same content
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

    /// Makes the next version. If the vector of the shown one has no room for another peer, the save must not be lost:
    /// the new version begins a history of its own, and the user merges the two.
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

    /// Makes a version after the rules have merged two heads. Other machines may do the same at the same time; then the
    /// version with the smaller id stays.
    /// - Parameters:
    ///   - one: one of the two heads
    ///   - other: the other head
    ///   - manifest: the merged content, by the pieces of the manifest
    ///   - seal: this machine's key
    /// - Returns: the version; nil if one of the two is no longer a head, or no version vector has room for both
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

    /// Notes that the rules can't merge these two: the user must choose.
    public mutating func cannotMerge(_ one: SnapshotID, _ other: SnapshotID) -> [Action] {
        changing { heads in
            if heads.heads.contains(one), heads.heads.contains(other) {
                heads.unmergeable.insert([one, other].sorted())
            }
        }
    }

    /// Discards a version that this machine made and could not store completely. History may find it one day, so its
    /// counter is not used again.
    public mutating func forgo(_ other: VersionState) {
        usedCounter = max(usedCounter, other.usedCounter)
    }

    /// Adds a version that this machine made, and whose content is stored here.
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
