extension FoundGame {
    /// The folder to share, if there is one such folder and patterns can name its saves. If the game has no saves yet,
    /// it is the folder in which the game will save: a machine that joins needs it before the first save.
    package var sharedPlace: FoundPlace? {
        guard !notes.contains(.tooLarge) else { return nil }
        let saves = places.filter { $0.content == .saves }
        let full = saves.filter { $0.standing == .used && $0.tally.files > 0 }
        // The folder that the game itself writes to comes before Steam's copy of it.
        let own = full.filter { $0.place.base != .steamUserdata }
        let empty = saves.filter { $0.standing == .used && $0.place.base != .steamUserdata }
        let expected = saves.filter { $0.standing == .expected }
        // A game that saves in the user's folders on Linux often has a build for Windows that saves in its own folder.
        let unused = [empty, expected].flatMap { [$0.filter { $0.place.base != .installDir }, $0] }
        let wanted = ([own, full] + unused).first { !$0.isEmpty } ?? []
        return wanted.count == 1 && wanted[0].ignoring != nil ? wanted[0] : nil
    }
}
