import SecureArchive

extension Summary {
    /// The facts that users look for, with the usual keys of games for them: without capitals, spaces and punctuation,
    /// the most probable first.
    private static let usual: [(label: String, keys: [String])] = [
        ("score", ["score", "currentscore", "totalscore", "points", "highscore", "bestscore"]),
        ("level", ["level", "currentlevel", "levelname", "playerlevel", "lvl"]),
        ("play time", ["playtime", "totalplaytime", "timeplayed", "playedtime"] + keysOfSeconds),
    ]

    /// The other keys have no known unit, so their numbers are shown unchanged.
    private static let keysOfSeconds = [
        "playseconds", "playedseconds", "secondsplayed", "playtimeseconds", "playtimeinseconds", "totalplayseconds",
    ]

    /// The depth and the count of values to search: these facts are near the root, and a summary must be fast.
    private static let limits = (depth: 3, values: 10_000)

    /// The summary of a save without rules, from keys with a clear meaning; nil if there are none.
    public init?(usualIn state: GameState) {
        var found: [String: (key: String, value: ArchiveValue)] = [:]
        var (level, seen) = ([state.root.untagged], 0)
        for _ in 0..<Self.limits.depth {
            var below: [ArchiveValue] = []
            for case .dictionary(let fields) in level {
                for (key, value) in fields.map({ ($0.key, $0.value.untagged) }) {
                    seen += 1
                    guard seen <= Self.limits.values else { break }
                    if case .dictionary = value { below.append(value) }
                    let bare = KeySpelling.bareLetters(key)
                    // A value nearer to the root is more probably one of the whole game.
                    if value.isPlain, found[bare] == nil { found[bare] = (bare, value) }
                }
            }
            level = below
        }
        let lines = Self.usual.compactMap { label, keys in
            keys.lazy.compactMap { found[$0] }.first.map { Self.line(label, $0.key, $0.value) }
        }
        guard !lines.isEmpty else { return nil }
        self.init(game: nil, lines)
    }

    private static func line(_ label: String, _ key: String, _ value: ArchiveValue) -> Line {
        Line(label, text(value, keysOfSeconds.contains(key) ? .duration : .plain), value)
    }
}

extension ArchiveValue {
    /// True for a number or a text.
    fileprivate var isPlain: Bool {
        switch self {
        case .integer, .real, .string: true
        default: false
        }
    }
}
