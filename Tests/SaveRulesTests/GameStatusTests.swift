import SaveRules
import Testing

/// The state of a game follows from facts alone.
struct GameStatusTests {
    private static let (desk, box) = (Sample.peer(1), Sample.peer(2))

    private static func sharer(_ part: GameSharer.Part, online isOnline: Bool = true) -> GameSharer {
        GameSharer(desk, isOnline: isOnline, part)
    }

    private static func other(_ part: GameSharer.Part, online isOnline: Bool = true) -> GameSharer {
        GameSharer(box, isOnline: isOnline, part)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var folder = GameFacts.Folder.usable
        var newest = GameFacts.Newest.shown
        var sharers: [GameSharer] = []
        let status: GameStatus

        init(
            _ words: String,
            _ status: GameStatus,
            _ sharers: [GameSharer] = [],
            folder: GameFacts.Folder = .usable,
            newest: GameFacts.Newest = .shown
        ) {
            (testDescription, self.status, self.sharers) = (words, status, sharers)
            (self.folder, self.newest) = (folder, newest)
        }
    }

    private static let rows: [Row] = [
        Row("a game that no machine shares is only here", .onlyHere),
        Row("a machine that has not joined does not count", .onlyHere, [sharer(.notJoined)]),
        Row("a machine that stopped sharing does not count", .onlyHere, [sharer(.stopped)]),
        Row("a machine that holds the newest version is in sync", .inSync, [sharer(.holdsNewest)]),
        Row("a machine that held it when it was last online counts", .inSync, [sharer(.holdsNewest, online: false)]),
        Row("a machine that has not joined changes nothing", .inSync, [sharer(.holdsNewest), other(.notJoined)]),
        Row("a machine that is online and behind is sent to", .sending, [sharer(.behind)]),
        Row("a machine that is offline and behind gets nothing", .onlyHere, [sharer(.behind, online: false)]),
        Row(
            "one machine holds it, another is offline and behind",
            .sending,
            [sharer(.holdsNewest), other(.behind, online: false)]
        ),
        Row(
            "two machines are offline, and one of them held it",
            .sending,
            [sharer(.holdsNewest, online: false), other(.behind, online: false)]
        ),
        Row("changes that are not read yet are not in sync", .sending, [sharer(.holdsNewest)], newest: .unread),
        Row(
            "changes that are not read yet, all others offline",
            .onlyHere,
            [sharer(.holdsNewest, online: false)],
            newest: .unread
        ),
        Row("a newer version is on its way", .receiving, [sharer(.holdsNewest)], newest: .arriving),
        Row("a newer version waits for the game", .waitingForGame, [sharer(.holdsNewest)], newest: .waitingForGame),
        Row("two versions are apart", .conflict, [sharer(.holdsNewest)], newest: .conflict),
        Row("a version is kept out of the folder", .notSyncing, [sharer(.holdsNewest)], newest: .keptOut),
        Row("a folder that lost its files", .emptied, [sharer(.holdsNewest)], folder: .emptied),
        Row("a folder that is not there", .unavailable, [sharer(.holdsNewest)], folder: .unavailable),
        Row(
            "a third machine does not hide that one is stopped",
            .notSyncing,
            [sharer(.holdsNewest), other(.blocked(.notPermittedHere), online: false)]
        ),
        Row(
            "a transfer does not hide that one is stopped",
            .notSyncing,
            [sharer(.blocked(.noAnswer)), other(.holdsNewest)],
            newest: .arriving
        ),
        Row(
            "a conflict comes before a machine that is stopped",
            .conflict,
            [sharer(.blocked(.refusedThere))],
            newest: .conflict
        ),
    ]

    @Test("a machine that is out of reach receives nothing, though its connection looks alive")
    func unreachable() {
        let facts = GameFacts(
            folder: .usable,
            newest: .shown,
            sharers: [Self.sharer(.behind), Self.other(.behind)]
        )
        #expect(facts.without([]).status == .sending)
        #expect(facts.without([Self.desk]).status == .sending)
        #expect(facts.without([Self.desk, Self.box]).status == .onlyHere)
        #expect(facts.without([Self.desk]).behind.map(\.isOnline) == [false, true])
    }

    @Test("a paused game is not syncing, and a folder that can't be used or lost its files comes first")
    func paused() {
        let pause = SyncPause(end: 100, isOfAll: false)
        for newest in [GameFacts.Newest.shown, .arriving, .conflict] {
            let facts = GameFacts(folder: .usable, newest: newest, sharers: [Self.sharer(.holdsNewest)], pause: pause)
            #expect(facts.status == .notSyncing && facts.without([Self.desk]).status == .notSyncing)
        }
        #expect(GameFacts(folder: .emptied, newest: .shown, sharers: [], pause: pause).status == .emptied)
        #expect(GameFacts(folder: .unavailable, newest: .shown, sharers: [], pause: pause).status == .unavailable)
    }

    @Test("a machine on which the game is paused receives nothing, though it is online")
    func pausedThere() {
        let sharer = GameSharer(Self.desk, .paused, .behind)
        #expect(GameFacts(folder: .usable, newest: .shown, sharers: [sharer]).status == .onlyHere)
        #expect(
            GameFacts(folder: .usable, newest: .shown, sharers: [sharer, Self.other(.holdsNewest)]).status == .sending
        )
    }

    @Test("each row of facts has its state", arguments: rows)
    func table(row: Row) {
        let facts = GameFacts(folder: row.folder, newest: row.newest, sharers: row.sharers)
        #expect(facts.status == row.status)
    }

    private static let parts: [GameSharer.Part] =
        [.holdsNewest, .behind, .notJoined, .stopped] + SyncObstacle.allCases.map { .blocked($0) }

    @Test("a game is in sync only if every machine that takes part holds the newest version and nothing stops one")
    func inSyncIsTrue() {
        let newest: [GameFacts.Newest] = [.shown, .unread, .arriving, .waitingForGame, .keptOut, .conflict]
        for folder in [GameFacts.Folder.usable, .emptied, .unavailable] {
            for (newest, one, other) in newest.flatMap({ newest in
                Self.parts.flatMap { one in Self.parts.map { (newest, one, $0) } }
            }) {
                for (isOnline, isOtherOnline) in [(true, true), (true, false), (false, true), (false, false)] {
                    let sharers = [
                        Self.sharer(one, online: isOnline), Self.other(other, online: isOtherOnline),
                    ]
                    let status = GameFacts(folder: folder, newest: newest, sharers: sharers).status
                    let isBlocked = sharers.contains { $0.obstacle != nil }
                    let takes = [one, other].contains(.holdsNewest)
                    let isTrue = folder == .usable && newest == .shown && !isBlocked && takes
                    #expect((status == .inSync) == (isTrue && one != .behind && other != .behind))
                    if status.needsUser { continue }
                    #expect(folder == .usable && !isBlocked)
                }
            }
        }
    }
}
