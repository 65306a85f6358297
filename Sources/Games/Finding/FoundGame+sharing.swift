extension FoundGame {
    /// The folder to share: the one in use, if there is one and all of it is saves. Also the one in which the game will save.
    package var sharedPlace: FoundPlace? {
        guard !notes.contains(.tooLarge) else { return nil }
        let saves = places.filter { $0.content == .saves && $0.patterns.isEmpty }
        let used = saves.filter { $0.standing == .used && $0.tally.files > 0 }
        // What the game saves itself comes before what Steam copies of it.
        let own = used.filter { $0.place.base != .steamUserdata }
        let wanted = !own.isEmpty ? own : !used.isEmpty ? used : saves.filter { $0.standing == .expected }
        return wanted.count == 1 && places.allSatisfy { $0.patterns.isEmpty || $0.standing != .used } ? wanted[0] : nil
    }
}
