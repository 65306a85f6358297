package import SaveRules

/// The files that a device is known to have of one game.
package struct DeviceHoldings: Hashable, Sendable {
    /// Maximum number of files in ``behind``.
    package static let mostBehind = 50_000

    /// A version that a file of the device follows.
    package enum Origin: Hashable, Sendable {
        case version(SnapshotID)
        /// The device had the file before its first sync.
        case unknown
    }

    /// The version that the device has; nil before its first sync.
    package var base: SnapshotID?
    /// Files that the device may have in another form than ``base``, and the version that their form follows.
    ///
    /// RetroArch keeps a file of its own if the server's has changed, too, and says nothing. Huddle notices that the
    /// device did not fetch the file. In the next sync it leaves the file out of the manifest, so that RetroArch sends
    /// its own, which becomes a conflict that the user can see.
    package var behind: [SavePath: Origin] = [:]

    package init(base: SnapshotID? = nil) { self.base = base }

    /// The origin of a file that follows ``base``.
    var origin: Origin { base.map { .version($0) } ?? .unknown }
}
