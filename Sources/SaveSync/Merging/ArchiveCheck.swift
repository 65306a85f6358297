public import GameState
public import SecureArchive

/// Whether some bytes are an archive that the reader of a game may be given.
public enum ArchiveCheck {
    /// Reads it within the limits for strangers, and by the rules of its game where that is known.
    /// - Returns: what is in it
    /// - Throws: what is wrong with it
    @discardableResult
    public static func check(_ bytes: [UInt8]) throws(ArchiveError) -> GameState {
        let state = try GameState(reading: bytes)
        if let faults = KnownGame(recognising: state)?.faults(of: state, .tolerant) {
            throw ArchiveError(.notAllowed, "\(faults)")
        }
        return state
    }
}
