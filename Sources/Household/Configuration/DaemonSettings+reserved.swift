package import LinuxPlatform

extension DaemonSettings {
    /// The places that the inbox must neither be nor contain. The inbox may be beside Huddle's own files in the state
    /// folder: a headless daemon may have no other place to write.
    package func reserved(besides socket: String) -> [ReservedPlace] {
        let own = Set([state, usualState]).sorted().flatMap { state in
            [ReservedPlace(state, .own, .itself)]
                + ["history", "places"].map { ReservedPlace("\(state)/\($0)", .own, .whole) }
        }
        let others = [configurationPath, socket].map { ReservedPlace($0, .own, .itself) }
        return own + others + places.reserved()
    }

    /// The places that the folder of a game must neither be nor contain.
    package func reservedForSets(besides socket: String) -> [ReservedPlace] {
        [ReservedPlace(inbox, .inbox, .itself)] + reserved(besides: socket)
    }
}
