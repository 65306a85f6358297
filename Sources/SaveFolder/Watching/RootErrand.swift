import SaveRules

/// Work in a set's folder after its disk has answered.
struct RootErrand {
    /// Set up the watches again.
    var isArming = false
    /// Check if the path leads elsewhere, because mounts changed.
    var isComparing = false
    /// Its file system was unmounted.
    var isUnmounted = false
    /// New folders to watch.
    var newFolders: Set<SavePath> = []

    /// True if a change until then could go unnoticed.
    var isDeaf: Bool { isArming || !newFolders.isEmpty }
}
