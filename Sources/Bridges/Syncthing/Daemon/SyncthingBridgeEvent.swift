package import SaveRules

/// Something that happened with a device with Syncthing.
package enum SyncthingBridgeEvent: Sendable {
    /// The devices, or what is known of one, have changed.
    case changed
    /// A device has connected or gone.
    case online(DeviceName)
    case offline(DeviceName)
    /// A device's files have become a version, of which this many differ from the one before.
    case saved(DeviceName, game: SaveSetName?, count: Int)
    /// A game could not be synced; it is tried again.
    case failed(DeviceName, game: SaveSetName?, any Error)
    /// A device has deleted all files of a game, which is held.
    case emptied(DeviceName, game: SaveSetName?)
    /// A device that is not paired has tried to connect. It calls itself so.
    case unpaired(id: String, name: String)
    /// Devices can't connect.
    case notRunning(any Error)
}
