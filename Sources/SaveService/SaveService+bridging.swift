package import SaveSync

extension SaveService {
    /// The games, for parts of the daemon that sync with devices without Huddle.
    package var bridge: GameBridge { GameBridge(engine) }
}
