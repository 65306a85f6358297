extension SnapshotGraph {
    /// True if a machine that has named its newest versions holds all that is newest here.
    /// - Parameters:
    ///   - named: what it has named
    ///   - newest: the newest versions here
    public func covers(_ named: [SnapshotID], _ newest: [SnapshotID]) -> Bool {
        newest.allSatisfy { head in named.contains { $0 == head || supersedes($0, head) } }
    }
}
