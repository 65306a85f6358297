package import SaveRules

/// Something that happened with a device.
package enum RetroArchBridgeEvent: Sendable {
    /// The devices, or what is known of one, have changed.
    case changed
    /// A sync has ended. The device has saved this many files of these games.
    case synced(DeviceName, saved: Int, games: [SaveSetName])
    /// Files of a device could not be stored; the device is asked for them again.
    case notSaved(DeviceName, any Error)
    /// A request of a device was refused.
    case refused(DeviceName, reason: String)
    /// The bridge is turned on and does not listen.
    case notRunning(any Error)
    /// Someone has tried a wrong password, this often since the start.
    case wrongPassword(count: Int)
}
