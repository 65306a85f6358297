import Household

extension DaemonLine {
    /// The line for a device that could not sync.
    static func deviceTrouble(
        _ reason: DeviceTroubleEvent.Reason,
        kind: String,
        _ sentence: String,
        _ device: DeviceName?
    ) -> DaemonLine {
        DaemonLine(.deviceTrouble(DeviceTroubleEvent(reason, kind: kind, device?.text)), sentence, isTrouble: true)
    }
}
