import SecureArchive

extension Summary {
    /// What people go by, and what games usually call it: without capitals, spaces and signs between, the likeliest first.
    private static let usual: [(label: String, keys: [String])] = [
        ("score", ["score", "currentscore", "totalscore", "points", "highscore", "bestscore"]),
        ("level", ["level", "currentlevel", "levelname", "playerlevel", "lvl"]),
        ("play time", ["playtime", "totalplaytime", "timeplayed", "playedtime"] + keysOfSeconds),
    ]

    /// Of the others nobody knows what they count in, so these numbers are told as they are.
    private static let keysOfSeconds = [
        "playseconds", "playedseconds", "secondsplayed", "playtimeseconds", "playtimeinseconds", "totalplayseconds",
    ]

    /// How deep it is looked, and at how many values: what is meant stands far up, and nobody waits for the rest.
    private static let limits = (depth: 3, values: 10_000)

    /// What a save says that nobody has written rules for, where its keys leave no doubt; nil where there are none of that kind.
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
                    // What stands further up is more likely to be that of the whole game.
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
    /// A number or a text, as people go by.
    fileprivate var isPlain: Bool {
        switch self {
        case .integer, .real, .string: true
        default: false
        }
    }
}
