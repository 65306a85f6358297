public import GameState
public import SecureArchive

/// The check of an archive before the reader of a game gets it.
public enum ArchiveCheck {
    /// Reads an archive within the limits for strangers, and checks the rules of its game if the game is known.
    /// - Returns: the contents
    /// - Throws: ``ArchiveError`` that says what is wrong with it
    @discardableResult
    public static func check(_ bytes: [UInt8]) throws(ArchiveError) -> GameState {
        let state = try GameState(reading: bytes)
        if let faults = KnownGame(recognising: state)?.faults(of: state, .tolerant) {
            throw ArchiveError(.notAllowed, "\(faults)")
        }
        return state
    }
}
