/// Reads Ludusavi's manifest event by event, and returns its games one at a time.
///
/// It ignores keys and values that this version does not know, because the manifest gets new ones.
package struct ManifestReader {
    /// The limits of one game; the reader leaves out the rest.
    private static let mostFiles = 200
    private static let mostNames = 64

    private let events: YAMLEvents

    init(_ events: YAMLEvents) {
        self.events = events
    }

    /// All games of a manifest in memory.
    package static func games(in bytes: [UInt8]) throws(YAMLFailure) -> [KnownGame] {
        var games: [KnownGame] = []
        try ManifestReader(try YAMLEvents(bytes)).read { games.append($0) }
        return games
    }

    func read(_ take: (KnownGame) -> Void) throws(YAMLFailure) {
        let first = try events.next()
        guard first != .end else { return }
        guard first == .mappingStart else { throw .malformed("it is not a manifest of games", line: 1) }
        try forEachKeyOfOpenMapping { title throws(YAMLFailure) in
            if let game = try game(title) { take(game) }
        }
    }

    private func game(_ title: String) throws(YAMLFailure) -> KnownGame? {
        var game = KnownGame(title)
        var paths: [(path: String, systems: ManifestPath.Systems)] = []
        try forEachKey { key throws(YAMLFailure) in
            switch key {
            case "alias": game.alias = try scalar()
            case "files": paths = try files()
            case "installDir": game.installFolders = try keys()
            // The game's own number comes before the numbers of its parts, in any order of the file.
            case "steam":
                game.steamIDs.insert(contentsOf: try number(under: "id").compactMap { UInt32(exactly: $0) }, at: 0)
            case "gog": game.gogIDs.insert(contentsOf: try number(under: "id"), at: 0)
            case "id": try readIDs(into: &game)
            case "registry": game.savesInRegistry = try holdsSaves()
            default: try skip()
            }
        }
        guard GameList.isLine(title), title.utf8.count <= 400 else { return nil }
        let words = ManifestPath.Game(steamID: game.steamIDs.first, installFolder: game.installFolders.first)
        var seen: Set<GamePlace> = []
        for (path, systems) in paths {
            for place in ManifestPath(path, on: systems, of: words).places where seen.insert(place).inserted {
                game.places.append(place)
            }
        }
        return game
    }

    // MARK: Parts of a game

    private func files() throws(YAMLFailure) -> [(path: String, systems: ManifestPath.Systems)] {
        var files: [(path: String, systems: ManifestPath.Systems)] = []
        try forEachKey { path throws(YAMLFailure) in
            var (systems, isSave) = (ManifestPath.Systems.all, true)
            try forEachKey { key throws(YAMLFailure) in
                switch key {
                case "tags": isSave = try isSaveByTags()
                case "when": systems = try self.systems()
                default: try skip()
                }
            }
            if isSave, !systems.isEmpty, files.count < Self.mostFiles { files.append((path, systems)) }
        }
        return files
    }

    /// True if the tags name saves. An entry without tags comes from the store's description of the saves.
    private func isSaveByTags() throws(YAMLFailure) -> Bool {
        var (isTagged, isSave) = (false, false)
        try forEachItem { event throws(YAMLFailure) in
            isTagged = true
            if event == .scalar, events.isText("save") { isSave = true }
            try events.skip(event)
        }
        return isSave || !isTagged
    }

    /// The systems of an entry. Any of the conditions suffices. A condition without a system holds on all systems. A
    /// condition only for the Microsoft Store never holds on Linux.
    private func systems() throws(YAMLFailure) -> ManifestPath.Systems {
        var (systems, hasConditions) = (ManifestPath.Systems(), false)
        try forEachItem { event throws(YAMLFailure) in
            hasConditions = true
            guard event == .mappingStart else { return try events.skip(event) }
            var (here, isHere) = (ManifestPath.Systems.all, true)
            try forEachKeyOfOpenMapping { key throws(YAMLFailure) in
                switch key {
                case "os":
                    switch try scalar() {
                    case "linux": here = .linux
                    case "windows", "dos": here = .windows
                    case "mac": here = []
                    default: here = .all
                    }
                case "store": isHere = try scalar() != "microsoft"
                default: try skip()
                }
            }
            if isHere { systems.formUnion(here) }
        }
        return hasConditions ? systems : .all
    }

    private func readIDs(into game: inout KnownGame) throws(YAMLFailure) {
        var found = game
        try forEachKey { key throws(YAMLFailure) in
            switch key {
            case "flatpak": if let id = try scalar() { found.flatpakIDs.append(id) }
            case "lutris": if let name = try scalar() { found.lutrisNames.append(name) }
            case "gogExtra": found.gogIDs += try numbers()
            case "steamExtra": found.steamIDs += try numbers().compactMap { UInt32(exactly: $0) }
            default: try skip()
            }
        }
        game = found
    }

    private func holdsSaves() throws(YAMLFailure) -> Bool {
        var holds = false
        try forEachKey { _ throws(YAMLFailure) in
            var isSave = true
            try forEachKey { key throws(YAMLFailure) in
                if key == "tags" { isSave = try isSaveByTags() } else { try skip() }
            }
            if isSave { holds = true }
        }
        return holds
    }

    // MARK: Shapes

    /// Visits the keys of a mapping, each with the reader before its value. Ignores a value of another kind.
    private func forEachKey(_ take: (String) throws(YAMLFailure) -> Void) throws(YAMLFailure) {
        let event = try events.next()
        guard event == .mappingStart else { return try events.skip(event) }
        try forEachKeyOfOpenMapping(take)
    }

    private func forEachKeyOfOpenMapping(_ take: (String) throws(YAMLFailure) -> Void) throws(YAMLFailure) {
        while true {
            let event = try events.next()
            switch event {
            case .mappingEnd, .sequenceEnd, .end: return
            case .scalar: try take(events.text)
            case .mappingStart, .sequenceStart:
                // A key that is a collection; its value follows.
                try events.skip(event)
                try skip()
            }
        }
    }

    private func forEachItem(_ take: (YAMLEvents.Event) throws(YAMLFailure) -> Void) throws(YAMLFailure) {
        let first = try events.next()
        guard first == .sequenceStart else { return try events.skip(first) }
        while true {
            let event = try events.next()
            if event == .sequenceEnd || event == .end { return }
            try take(event)
        }
    }

    private func skip() throws(YAMLFailure) {
        try events.skip(try events.next())
    }

    private func scalar() throws(YAMLFailure) -> String? {
        let event = try events.next()
        if event == .scalar { return events.text }
        try events.skip(event)
        return nil
    }

    private func keys() throws(YAMLFailure) -> [String] {
        var names: [String] = []
        try forEachKey { name throws(YAMLFailure) in
            if names.count < Self.mostNames { names.append(name) }
            try skip()
        }
        return names
    }

    private func number(under wanted: String) throws(YAMLFailure) -> [UInt64] {
        var found: [UInt64] = []
        try forEachKey { key throws(YAMLFailure) in
            if key == wanted, let text = try scalar() {
                found += UInt64(text).map { [$0] } ?? []
            } else if key != wanted {
                try skip()
            }
        }
        return found
    }

    private func numbers() throws(YAMLFailure) -> [UInt64] {
        var found: [UInt64] = []
        try forEachItem { event throws(YAMLFailure) in
            if event == .scalar, let number = UInt64(events.text), found.count < Self.mostNames { found.append(number) }
            try events.skip(event)
        }
        return found
    }
}
