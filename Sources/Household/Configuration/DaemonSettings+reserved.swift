package import LinuxPlatform

extension DaemonSettings {
    /// The places that the inbox may neither be nor contain. It may be beside Huddle's own files in the state folder: a
    /// headless daemon may write nowhere else.
    package func reserved(besides socket: String) -> [ReservedPlace] {
        let own = Set([state, usualState]).sorted().flatMap { state in
            [ReservedPlace(state, .own, .itself)]
                + ["history", "places"].map { ReservedPlace("\(state)/\($0)", .own, .whole) }
        }
        let others = [configurationPath, socket].map { ReservedPlace($0, .own, .itself) }
        return own + others + places.reserved()
    }

    /// The same for the folders of save sets.
    package func reservedForSets(besides socket: String) -> [ReservedPlace] {
        [ReservedPlace(inbox, .inbox, .itself)] + reserved(besides: socket)
    }
}
