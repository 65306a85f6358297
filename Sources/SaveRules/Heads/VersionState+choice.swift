public import Vocabulary

extension VersionState {
    /// Ends a conflict as the user chose, with a version that has all sides as ancestors. With more than two sides it
    /// takes several steps, because a version has two parents.
    /// - Parameters:
    ///   - choice: the choice of the content
    ///   - time: milliseconds since 1970, for users
    ///   - note: a note for users
    ///   - seal: this machine's key
    /// - Returns: the versions in order; store them before anything leaves the machine
    public mutating func resolve(
        _ choice: ConflictChoice,
        at time: Int64,
        note: Label? = nil,
        sealedBy seal: VersionSeal
    ) throws(ChoiceRefusal) -> (snapshots: [Snapshot], actions: [Action]) {
        guard heads.count > 1 else { throw ChoiceRefusal(.noConflict) }
        return try follow(heads, .resolved, with: try manifest(of: choice), at: time, note: note, sealedBy: seal)
    }

    /// Restores an old version for the user. It undoes nothing: a new version follows the heads. That ends a conflict,
    /// too.
    /// - Parameters:
    ///   - id: the old version
    ///   - time: milliseconds since 1970, for users
    ///   - note: a note for users
    ///   - seal: this machine's key
    /// - Returns: the versions in order; store them before anything leaves the machine
    public mutating func restore(
        _ id: SnapshotID,
        at time: Int64,
        note: Label? = nil,
        sealedBy seal: VersionSeal
    ) throws(ChoiceRefusal) -> (snapshots: [Snapshot], actions: [Action]) {
        let manifest = try manifest(of: .snapshot(id))
        return try follow(heads, .restored, with: manifest, at: time, note: note, sealedBy: seal)
    }

    /// Replaces the content of the game for the user, such as by an archive. That ends a conflict, too.
    /// - Parameters:
    ///   - manifest: the whole content, by the pieces of the manifest
    ///   - time: milliseconds since 1970, for users
    ///   - note: a note for users
    ///   - seal: this machine's key
    /// - Returns: the versions in order; store them before anything leaves the machine
    public mutating func replaceContent(
        _ manifest: [PieceReference],
        at time: Int64,
        note: Label? = nil,
        sealedBy seal: VersionSeal
    ) throws(ChoiceRefusal) -> (snapshots: [Snapshot], actions: [Action]) {
        guard !heads.isEmpty else { throw ChoiceRefusal(.notHere) }
        return try follow(heads, .restored, with: manifest, at: time, note: note, sealedBy: seal)
    }

    /// Adds something that a peer sent to the content of the only head.
    /// - Parameters:
    ///   - manifest: the whole content, by the pieces of the manifest
    ///   - head: the head from which the content was made
    ///   - time: milliseconds since 1970, for users
    ///   - note: a note for users
    ///   - seal: this machine's key
    /// - Throws: if that is no longer the only head
    public mutating func deliver(
        _ manifest: [PieceReference],
        over head: SnapshotID,
        at time: Int64,
        note: Label? = nil,
        sealedBy seal: VersionSeal
    ) throws(ChoiceRefusal) -> (snapshots: [Snapshot], actions: [Action]) {
        guard heads == [head] else { throw ChoiceRefusal(.notHere) }
        return try follow(heads, .delivered, with: manifest, at: time, note: note, sealedBy: seal)
    }

    /// The head that this machine's folder shows, or that is to be applied; nil if neither is certain.
    public var ownSide: SnapshotID? {
        guard let applied else { return nil }
        return heads.contains(applied) ? applied : pending
    }

    /// Returns the newest version of the side to which a version belongs; the version itself if it belongs to none or
    /// several.
    public func side(of version: SnapshotID) -> SnapshotID {
        if heads.contains(version) { return version }
        let following = heads.filter { graph.supersedes($0, version) }
        return following.count == 1 ? following[0] : version
    }

    private func manifest(of choice: ConflictChoice) throws(ChoiceRefusal) -> [PieceReference] {
        switch choice {
        case .merge(let manifest): return manifest
        case .snapshot(let id):
            guard held.contains(id), let snapshot = graph[id] else { throw ChoiceRefusal(.notHere) }
            return snapshot.manifest
        case .mine:
            guard let ownSide else { throw ChoiceRefusal(.noOwnSide) }
            return try manifest(of: .snapshot(ownSide))
        case .theirs:
            guard let ownSide else { throw ChoiceRefusal(.noOwnSide) }
            let others = heads.filter { $0 != ownSide }
            guard others.count == 1 else { throw ChoiceRefusal(.severalOthers) }
            return try manifest(of: .snapshot(others[0]))
        }
    }

    private mutating func follow(
        _ sides: [SnapshotID],
        _ origin: Snapshot.Origin,
        with manifest: [PieceReference],
        at time: Int64,
        note: Label?,
        sealedBy seal: VersionSeal
    ) throws(ChoiceRefusal) -> (snapshots: [Snapshot], actions: [Action]) {
        var (snapshots, rest, counter) = ([Snapshot](), sides[...], usedCounter)
        while let parents = Self.parents(after: snapshots.last, &rest) {
            let versions = parents.compactMap { id in
                id == snapshots.last?.id ? snapshots.last?.signedVersion : graph[id]?.signedVersion
            }
            // Reading from the disk may fail.
            guard versions.count == parents.count else { throw ChoiceRefusal(.notHere) }
            guard
                let version = try? versions.dropFirst().reduce(versions[0], { try $0.merged(with: $1) })
                    .bumped(by: seal, in: graph.set, beyond: counter)
            else { throw ChoiceRefusal(.versionFull) }
            counter = version.vector[own]
            var draft = Snapshot.Draft(set: graph.set, origin, version: version, manifest: manifest)
            (draft.parents, draft.time, draft.note) = (parents.sorted(), time, note)
            snapshots.append(snapshot(draft, sealedBy: seal))
        }
        let actions = changing { heads in
            for snapshot in snapshots { heads.keep(snapshot) }
        }
        return (snapshots, actions)
    }

    /// Returns the parents of the next version: the first one or two sides, then the last made version and the next
    /// side; nil after the last side.
    private static func parents(after last: Snapshot?, _ rest: inout ArraySlice<SnapshotID>) -> [SnapshotID]? {
        guard let first = rest.popFirst() else { return nil }
        if let last { return [last.id, first] }
        return rest.popFirst().map { [first, $0] } ?? [first]
    }
}
