import LinuxPlatform
import Vocabulary

/// Merges the facts about each game from several launchers and lists.
struct GameAssembly {
    private struct Group {
        var title: String
        var known: KnownGame?
        var installed: [InstalledGame]
    }

    private let knowledge: GameKnowledge
    private var resolver: PlaceResolver
    private var groups: [String: Group] = [:]

    init(_ surroundings: GameSurroundings, _ knowledge: GameKnowledge) {
        self.knowledge = knowledge
        resolver = PlaceResolver(surroundings)
    }

    mutating func add(_ game: InstalledGame) {
        let known = knowledge.game(game.lookups)
        // Saves without a launcher and without an entry in a list have no title to show.
        guard let title = known?.title ?? game.title else { return }
        let key = GameTitle.bare(title)
        if groups[key] == nil { groups[key] = Group(title: title, known: known, installed: []) }
        groups[key]?.installed.append(game)
    }

    mutating func findings() -> GameFinder.Findings {
        var findings = GameFinder.Findings()
        for group in groups.values.sorted(by: { $0.title < $1.title }) {
            let places = standing(self.places(of: group))
            if var game = Self.game(group, places) {
                game.foldersOfPlaces = foldersOfPlaces(of: group)
                findings.games.append(game)
            } else if group.known == nil, group.installed.contains(where: { $0.presence == .installed }),
                !Self.isTool(group.title)
            {
                findings.unknown.append(group.title)
            }
        }
        findings.games = Self.withoutDoubles(findings.games)
        return findings
    }

    private static func game(_ group: Group, _ places: [FoundPlace]) -> FoundGame? {
        let isInstalled = group.installed.contains { $0.presence == .installed && $0.launcher != .folder }
        let holdsSaves = places.contains { $0.tally.files > 0 }
        let isRegistryOnly =
            isInstalled && !holdsSaves && group.known.map { $0.places.isEmpty && $0.savesInRegistry } == true
        // The game has no prefix yet, and it saves nowhere else.
        let isNotStarted = isInstalled && places.isEmpty && group.known?.places.isEmpty == false
        guard holdsSaves || isRegistryOnly || isNotStarted || isInstalled && !places.isEmpty else { return nil }
        var launchers = group.installed.map(\.launcher)
        if launchers.contains(where: { $0 != .folder }) { launchers.removeAll { $0 == .folder } }
        var notes: [FoundGame.Note] = []
        if isRegistryOnly { notes.append(.registryOnly) }
        if isNotStarted { notes.append(.notStarted) }
        if places.contains(where: { SaveSize.isTooLarge($0.tally) }) { notes.append(.tooLarge) }
        if places.contains(where: { $0.standing == .unused && $0.tally.files > 0 }) { notes.append(.twoLayouts) }
        if !isInstalled, group.installed.contains(where: { $0.presence == .removed }) { notes.append(.notInstalled) }
        let unique = Launcher.allCases.filter(launchers.contains)
        var found = FoundGame(id: "", title: group.title, launchers: unique, places: places, notes: notes)
        found.steamApps = group.installed.filter { $0.launcher == .steam && $0.presence == .installed }
            .compactMap(\.steamApp)
        found.launcherEntries = group.installed.compactMap(\.entry)
        return found
    }

    // MARK: Places

    private mutating func places(of group: Group) -> [FoundPlace] {
        var matches: [PlaceResolver.Match] = []
        var expected: [PlaceResolver.Match] = []
        for game in group.installed {
            for place in (group.known?.places ?? []) + game.ownPlaces {
                for roots in game.roots where Self.fits(place, roots, of: game) {
                    let found = resolver.matches(of: place, in: roots)
                    matches += found
                    if found.isEmpty, game.presence == .installed, game.launcher != .folder,
                        place.base != .steamUserdata,
                        let match = resolver.expected(place, in: roots)
                    {
                        expected.append(match)
                    }
                }
            }
        }
        let merged = Self.merged(matches)
        // A prefix exists because the version for Windows was started.
        let likely = expected.contains { $0.kind == .windows } ? expected.filter { $0.kind == .windows } : expected
        let places = merged.isEmpty ? Array(Self.merged(likely).prefix(4)) : merged
        return places.map(Self.counted)
    }

    private mutating func foldersOfPlaces(of group: Group) -> [FolderOfPlaces] {
        var folders: [FolderOfPlaces] = []
        for game in group.installed {
            let places = (group.known?.places ?? []) + game.ownPlaces
            for roots in game.roots {
                let fitting = places.filter { Self.fits($0, roots, of: game) }
                let found = FolderOfPlaces.all(of: fitting, in: roots, &resolver)
                folders += found.filter { !folders.contains($0) }
            }
        }
        return folders
    }

    /// The folder of a game belongs to one layout: the one for Windows if there is a prefix.
    private static func fits(_ place: GamePlace, _ roots: PlaceRoots, of game: InstalledGame) -> Bool {
        guard let kind = place.base.kind else { return roots == game.roots.last }
        return kind == roots.kind
    }

    /// One match for each folder, with all its patterns. Leaves out folders within a folder that counts as a whole.
    private static func merged(_ matches: [PlaceResolver.Match]) -> [PlaceResolver.Match] {
        var order: [String] = []
        var byFolder: [String: PlaceResolver.Match] = [:]
        for match in matches {
            guard let known = byFolder[match.real] else {
                order.append(match.real)
                byFolder[match.real] = match
                continue
            }
            let isWhole = known.patterns.isEmpty || match.patterns.isEmpty
            let more = match.patterns.filter { !known.patterns.contains($0) }
            byFolder[match.real] = PlaceResolver.Match(
                place: isWhole && !match.patterns.isEmpty ? known.place : isWhole ? match.place : known.place,
                kind: known.kind,
                path: known.path,
                real: known.real,
                patterns: isWhole ? [] : known.patterns + more,
                exists: known.exists
            )
        }
        let whole = byFolder.values.filter(\.patterns.isEmpty).map { $0.real + "/" }
        return order.compactMap { real in whole.contains { real.hasPrefix($0) } ? nil : byFolder[real] }
    }

    private static func counted(_ match: PlaceResolver.Match) -> FoundPlace {
        let isPatternAtBase = match.place.tail.first.map { !$0.isFixed } == true
        let tally =
            match.exists
            ? SaveWalk.tally(
                match.real,
                patterns: match.patterns,
                ignoringCase: match.kind == .windows,
                isReserved: { isPatternAtBase && PlaceBreadth.isReserved(match.place.base, [$0.lowercased()]) }
            ) : SaveTally()
        return FoundPlace(
            path: match.path,
            place: match.place,
            kind: match.kind,
            patterns: match.patterns.map { $0.map(\.text).joined(separator: "/") },
            content: .saves,
            standing: match.exists ? .used : .expected,
            tally: tally,
            real: match.real
        )
    }

    // MARK: Which layout counts

    /// Marks the layout in use: a populated prefix beats an empty native folder, and vice versa. If both hold saves,
    /// the layout with the newest save is in use, and a note says so.
    private func standing(_ places: [FoundPlace]) -> [FoundPlace] {
        func newest(_ kind: PlaceKind) -> FileTime? {
            places.filter { $0.kind == kind && $0.place.base.kind != nil && $0.place.base != .steamUserdata }
                .compactMap(\.tally.lastSave).max()
        }
        let (native, windows) = (newest(.native), newest(.windows))
        let used: PlaceKind?
        switch (native, windows) {
        case (nil, nil): used = nil
        case (_?, nil): used = .native
        case (nil, _?): used = .windows
        case (let native?, let windows?): used = native < windows ? .windows : .native
        }
        return places.map { place in
            var place = place
            let isOfLayout = place.place.base.kind != nil && place.place.base != .steamUserdata
            if place.standing == .used, isOfLayout, let used, place.kind != used { place.standing = .unused }
            return place
        }
    }

    // MARK: Games that share a folder

    /// The games without those that only a list names for a folder of another game. Of several such games the first one
    /// stays, and its note names the others.
    private static func withoutDoubles(_ games: [FoundGame]) -> [FoundGame] {
        var owners: [String: Int] = [:]
        var kept: [FoundGame] = []
        for game in games.filter({ $0.launchers != [.folder] }) + games.filter({ $0.launchers == [.folder] }) {
            let owned = game.places.first { owners[$0.real] != nil }
            guard game.launchers == [.folder], let owned, let owner = owners[owned.real] else {
                for place in game.places { owners[place.real] = owners[place.real] ?? kept.count }
                kept.append(game)
                continue
            }
            if kept[owner].launchers == [.folder] { Self.note(game.title, sharing: &kept[owner]) }
        }
        return kept
    }

    private static func note(_ title: String, sharing game: inout FoundGame) {
        for (index, note) in game.notes.enumerated() {
            if case .sharesFolder(let titles) = note {
                game.notes[index] = .sharesFolder(with: titles + [title])
                return
            }
        }
        game.notes.append(.sharesFolder(with: [title]))
    }

    /// True for a tool that Steam installs beside games.
    private static func isTool(_ title: String) -> Bool {
        ["Proton ", "Steam Linux Runtime", "Steamworks Common", "SteamVR", "Proton-"].contains { title.hasPrefix($0) }
            || title == "Proton"
    }
}
