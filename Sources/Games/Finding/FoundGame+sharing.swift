extension FoundGame {
    /// The folder to share: the one in use, if there is one and patterns can name its saves. Also the one in which the game
    /// will save.
    package var sharedPlace: FoundPlace? {
        guard !notes.contains(.tooLarge) else { return nil }
        let saves = places.filter { $0.content == .saves }
        let used = saves.filter { $0.standing == .used && $0.tally.files > 0 }
        // The folder that the game itself writes to comes before Steam's copy of it.
        let own = used.filter { $0.place.base != .steamUserdata }
        let wanted = !own.isEmpty ? own : !used.isEmpty ? used : saves.filter { $0.standing == .expected }
        return wanted.count == 1 && wanted[0].ignoring != nil ? wanted[0] : nil
    }
}
