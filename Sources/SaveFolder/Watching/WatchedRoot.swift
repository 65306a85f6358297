import LinuxPlatform

/// The place at which a watched set's folder is, or was.
struct WatchedRoot {
    /// Nil before the first check.
    private(set) var isThere: Bool?
    /// The watched folder, while it exists.
    private(set) var root: MountedFolder?
    /// The mount that would be uncovered if the folder's file system were unmounted.
    private var mountBelow: Int?
    /// Folders that were scanned as the set's. A folder below them, uncovered when they go, was covered only
    /// temporarily.
    private var readRoots: Set<FileIdentity> = []
    /// The file system that is uncovered since another one was unmounted.
    var bareDevice: UInt64?

    mutating func miss() { isThere = false }

    mutating func find(_ folder: MountedFolder) {
        (isThere, root, bareDevice) = (true, folder, nil)
        mountBelow = folder.mountBelow
    }

    /// The folder seems to exist, and can't be watched.
    mutating func seem() { isThere = true }

    /// The folder was scanned as the set's.
    mutating func wasRead() { if let root { readRoots.insert(root.identity) } }

    /// True if the path leads to the mount point of an unmounted file system. If it was mounted again at once, as by an
    /// automounter, it is not.
    func isBare(_ now: MountedFolder) -> Bool {
        guard !readRoots.contains(now.identity) else { return false }
        guard let mountBelow, let mount = now.mount else { return now.identity.device != root?.identity.device }
        return mount == mountBelow
    }

    /// The folder at a path now.
    static func folder(at path: String) -> MountedFolder? {
        guard let folder = try? Folder(at: path) else { return nil }
        return try? folder.mounted()
    }
}
