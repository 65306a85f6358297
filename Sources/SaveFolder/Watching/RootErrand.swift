import SaveRules

/// The work to do in a game's folder when its disk has answered.
struct RootErrand {
    /// True to set up the watches again.
    var isArming = false
    /// True to check if the path leads elsewhere, because mounts changed.
    var isComparing = false
    /// True if the file system of the folder was unmounted.
    var isUnmounted = false
    /// The new folders to watch.
    var newFolders: Set<SavePath> = []

    /// True if the watch could miss a change until this is done.
    var isDeaf: Bool { isArming || !newFolders.isEmpty }
}
