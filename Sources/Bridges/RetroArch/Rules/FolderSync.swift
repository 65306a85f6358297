package import SaveRules

/// One sync of one folder of a device: what it was offered, and what it did. A pure value; files are compared by their
/// pieces.
package struct FolderSync: Sendable {
    /// A file that the device has sent.
    package struct Sent: Hashable, Sendable {
        /// Its MD5.
        package let hash: String
        /// The number of the stored file.
        package let number: Int

        package init(hash: String, number: Int) { (self.hash, self.number) = (hash, number) }
    }

    /// A version to store, after the sync.
    package struct Result: Hashable, Sendable {
        package let base: DeviceHoldings.Origin
        /// Files to put into the tree of the served version; nil to remove one.
        package let changes: [SavePath: Sent?]
    }

    /// The version that the device is offered; nil if the game has none.
    package let served: SnapshotID?
    /// The MD5 of each file of the served version.
    package let files: [SavePath: String]
    /// The files of the version that the device had.
    private let before: [SavePath: String]
    private let holdings: DeviceHoldings
    private var fetched: Set<SavePath> = []
    /// Files that the device has sent, or deleted.
    package private(set) var changes: [SavePath: Sent?] = [:]

    /// - Parameters:
    ///   - served: the version that the device is offered
    ///   - files: the MD5 of each of its files
    ///   - before: the MD5 of each file of the version that the device had
    package init(
        serving served: SnapshotID?,
        _ files: [SavePath: String],
        to holdings: DeviceHoldings,
        with before: [SavePath: String]
    ) {
        (self.served, self.files, self.holdings, self.before) = (served, files, holdings, before)
    }

    /// The files that the device is shown. A deleted one has nil.
    package var offered: [SavePath: String?] {
        var offered: [SavePath: String?] = files.filter { holdings.behind[$0.key] == nil }
        for path in before.keys where files[path] == nil && holdings.behind[path] == nil {
            offered.updateValue(nil, forKey: path)
        }
        return offered
    }

    package mutating func read(_ path: SavePath) { fetched.insert(path) }

    package mutating func write(_ path: SavePath, _ sent: Sent) { changes.updateValue(sent, forKey: path) }

    package mutating func delete(_ path: SavePath) { changes.updateValue(nil, forKey: path) }

    /// The state of a file that the device sent and that no version has yet: if the daemon ends now, the next sync asks
    /// for the file again.
    package func unsaved(_ path: SavePath) -> DeviceHoldings.Origin {
        holdings.behind[path] ?? served.map { .version($0) } ?? .unknown
    }

    /// The versions to store, in order. None if the device has changed nothing.
    ///
    /// A file that the device has changed on the served version makes one version. Files that were changed here and
    /// there make another one, which follows the older version, so that both are kept.
    /// - Parameters:
    ///   - sent: the manifest that the device wrote at the end; nil if it wrote none
    ///   - old: the MD5 of a file in an older version; nil if it has no such file
    package func results(
        confirmedBy sent: DeviceManifest?,
        in folder: DevicePath.Folder,
        _ old: (SavePath, DeviceHoldings.Origin) -> String?
    ) -> [Result] {
        var groups: [DeviceHoldings.Origin: [SavePath: Sent?]] = [:]
        for (path, change) in changes where isWhole(path, change, confirmedBy: sent, in: folder) {
            guard change?.hash != files[path] || (change == nil && files[path] != nil) else { continue }
            guard let origin = holdings.behind[path] else {
                groups[served.map { .version($0) } ?? .unknown, default: [:]].updateValue(change, forKey: path)
                continue
            }
            // The device has the old file unchanged: its last sync was cut off. It is offered the new one next time.
            if let change, old(path, origin) == change.hash { continue }
            groups[origin, default: [:]].updateValue(change, forKey: path)
        }
        let first: DeviceHoldings.Origin = served.map { .version($0) } ?? .unknown
        let later = groups.filter { $0.key != first }.sorted { "\($0.key)" < "\($1.key)" }
        return (groups[first].map { [Result(base: first, changes: $0)] } ?? [])
            + later.map { Result(base: $0.key, changes: $0.value) }
    }

    /// False if the device sent other bytes than it meant to, as RetroArch does if it must log in again in between.
    package func isWhole(
        _ path: SavePath,
        _ change: Sent?,
        confirmedBy sent: DeviceManifest?,
        in folder: DevicePath.Folder
    ) -> Bool {
        guard let sent, let change, case .some(.some(let wanted)) = sent.files[DevicePath(folder, path)] else {
            return true
        }
        return wanted == change.hash
    }

    /// The files that the device has after the sync.
    /// - Parameters:
    ///   - saved: the version that has what the device has; nil if nothing had to be stored
    ///   - failed: files that no version has
    package func holdings(after saved: SnapshotID?, without failed: Set<SavePath>) -> DeviceHoldings {
        var after = DeviceHoldings(base: saved ?? served)
        func note(_ path: SavePath, _ origin: DeviceHoldings.Origin) {
            if after.behind.count < DeviceHoldings.mostBehind { after.behind[path] = origin }
        }
        for path in failed { note(path, unsaved(path)) }
        let done = fetched.union(changes.keys)
        for (path, hash) in files where holdings.behind[path] == nil && before[path] != hash && !done.contains(path) {
            note(path, holdings.origin)
        }
        for path in before.keys
        where files[path] == nil && holdings.behind[path] == nil && !done.contains(path) {
            note(path, holdings.origin)
        }
        return after
    }
}
