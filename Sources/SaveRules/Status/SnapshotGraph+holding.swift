extension SnapshotGraph {
    /// True if a machine that has named its heads has all versions that are newest here.
    /// - Parameters:
    ///   - named: the heads that it has named
    ///   - newest: the heads here
    public func covers(_ named: [SnapshotID], _ newest: [SnapshotID]) -> Bool {
        newest.allSatisfy { head in named.contains { $0 == head || supersedes($0, head) } }
    }
}
