import LinuxPlatform

/// The place at which a watched folder is, or was.
struct WatchedRoot {
    /// True if the folder exists; nil before the first check.
    private(set) var isThere: Bool?
    /// The watched folder, while it exists.
    private(set) var root: MountedFolder?
    /// The mount that appears if the folder's file system is unmounted.
    private var mountBelow: Int?
    /// The folders that were scanned as the game's. If one of them appears again after an unmount, it was only covered
    /// for a while: it is the game's folder, and not just a mount point.
    private var readRoots: Set<FileIdentity> = []
    /// The file system that has been visible since another one was unmounted.
    var bareDevice: UInt64?

    mutating func miss() { isThere = false }

    mutating func find(_ folder: MountedFolder) {
        (isThere, root, bareDevice) = (true, folder, nil)
        mountBelow = folder.mountBelow
    }

    /// Notes that the folder seems to exist and can't be watched.
    mutating func seem() { isThere = true }

    /// Notes that the folder was scanned as the game's.
    mutating func wasRead() { if let root { readRoots.insert(root.identity) } }

    /// True if the path leads to the bare mount point of an unmounted file system. False if that was mounted again at
    /// once, as by an automounter.
    func isBare(_ now: MountedFolder) -> Bool {
        guard !readRoots.contains(now.identity) else { return false }
        guard let mountBelow, let mount = now.mount else { return now.identity.device != root?.identity.device }
        return mount == mountBelow
    }

    /// Returns the folder at a path now; nil if there is none.
    static func folder(at path: String) -> MountedFolder? {
        guard let folder = try? Folder(at: path) else { return nil }
        return try? folder.mounted()
    }
}
