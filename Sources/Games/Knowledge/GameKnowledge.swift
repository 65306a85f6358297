/// All lists of games on this machine: the module's own, and those of the user's manifests.
package struct GameKnowledge: Sendable {
    private let lists: [GameIndex]

    /// - Parameter lists: the lists in the order of trust; the module's own comes first by itself
    package init(_ lists: [GameIndex] = []) {
        self.lists = [Self.own] + lists
    }

    private static let own = GameIndex(of: OwnGames.all)

    /// The game of the first key that a list knows, with the places of all lists.
    func game(_ keys: [GameKey]) -> KnownGame? {
        var merged: KnownGame?
        for list in lists {
            guard let found = keys.lazy.compactMap({ Self.game($0, in: list) }).first else { continue }
            guard var known = merged else {
                merged = found
                continue
            }
            known.places += found.places.filter { !known.places.contains($0) }
            known.savesInRegistry = known.savesInRegistry || found.savesInRegistry
            merged = known
        }
        return merged
    }

    private static func game(_ key: GameKey, in list: GameIndex) -> KnownGame? {
        let games = list.games(for: key)
        // Many games have folders of the same name.
        guard !key.isFolder || games.count == 1 else { return nil }
        guard let alias = games.first?.alias else { return games.first }
        return list.game(titled: alias)
    }

    /// All games that save in a folder of this name.
    func games(savingIn key: GameKey) -> [KnownGame] {
        var titles: Set<String> = []
        return lists.flatMap { $0.games(for: key) }.filter { titles.insert(GameTitle.bare($0.title)).inserted }
    }
}
