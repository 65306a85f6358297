import SaveRules
import TestSupport
import Testing
import Vocabulary

/// A machine (5) that hears from another (4) that a third one (3) was cut off while it played. All three save.
@Suite("A machine that was cut off while it played", .timeLimit(.minutes(5)))
struct CutOffPlayTests {
    private static let (player, witness, own, stranger) = (
        Sample.peer(3), Sample.peer(4), Sample.peer(5), Sample.peer(6)
    )

    /// The steps of a case, in order.
    enum Step: Sendable {
        /// A machine connects, or goes offline.
        case connects(PeerID), parts(PeerID)
        /// A machine names the versions that this machine has.
        case names(PeerID)
        /// The player names its own versions.
        case namesOwn
        /// A machine that exchanges versions already hears of the game once more.
        case greets(PeerID)
        /// The witness says that a machine was cut off, after it had saved so often; nil if none was.
        case says(PeerID, saved: UInt64?)
        /// The player's next save comes.
        case saves
        /// The player saves, and that save does not come yet.
        case savesAway
        /// The last save of the player comes from another machine.
        case arrives
        /// The player plays, is silent for a minute, and stops playing.
        case plays, isSilent, stops
        /// A machine no longer shares the game, or does again.
        case withdraws(PeerID), shares(PeerID)
        /// The user forgets a machine, or revokes the game for it.
        case forgets(PeerID), revokes(PeerID)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        /// The machines of which a user who plays next must hear.
        let cutOff: [PeerID]
    }

    private static let cases = [
        Case(testDescription: "no machine says anything", steps: [.connects(witness)], cutOff: []),
        Case(
            testDescription: "the witness says it",
            steps: [.connects(witness), .says(player, saved: 0)],
            cutOff: [player]
        ),
        Case(
            testDescription: "the witness has gone since",
            steps: [.connects(witness), .says(player, saved: 0), .parts(witness)],
            cutOff: [player]
        ),
        Case(
            testDescription: "the witness has more saves of the player than this machine",
            steps: [.connects(witness), .says(player, saved: 2), .saves, .saves],
            cutOff: [player]
        ),
        Case(
            testDescription: "a newer save of the player has come",
            steps: [.connects(witness), .says(player, saved: 1), .saves, .saves],
            cutOff: []
        ),
        Case(
            testDescription: "a newer save of the player was here before",
            steps: [.saves, .saves, .connects(witness), .says(player, saved: 1)],
            cutOff: []
        ),
        Case(
            testDescription: "the witness takes it back",
            steps: [.connects(witness), .says(player, saved: 0), .says(player, saved: nil)],
            cutOff: []
        ),
        Case(
            testDescription: "the witness is back and says nothing of it, for the player came back to it",
            steps: [.connects(witness), .says(player, saved: 0), .parts(witness), .connects(witness)],
            cutOff: []
        ),
        Case(
            testDescription: "the player is connected and has named its versions",
            steps: [.connects(player), .names(player), .connects(witness), .says(player, saved: 0)],
            cutOff: []
        ),
        Case(
            testDescription: "the player has named its versions since, and is gone again",
            steps: [.connects(witness), .says(player, saved: 0), .connects(player), .names(player), .parts(player)],
            cutOff: []
        ),
        Case(
            testDescription: "the player has connected and named nothing yet",
            steps: [.connects(player), .connects(witness), .says(player, saved: 0)],
            cutOff: [player]
        ),
        Case(
            testDescription: "the witness no longer shares the game",
            steps: [.connects(witness), .says(player, saved: 0), .withdraws(witness)],
            cutOff: []
        ),
        Case(
            testDescription: "the user forgets the witness",
            steps: [.connects(witness), .says(player, saved: 0), .forgets(witness)],
            cutOff: []
        ),
        Case(
            testDescription: "the user forgets the player",
            steps: [.connects(witness), .says(player, saved: 0), .forgets(player)],
            cutOff: []
        ),
        Case(
            testDescription: "the witness names a machine that does not share the game",
            steps: [.connects(witness), .says(stranger, saved: 0)],
            cutOff: []
        ),
        Case(
            testDescription: "the witness names this machine",
            steps: [.connects(witness), .says(own, saved: 0)],
            cutOff: []
        ),
        Case(
            testDescription: "this machine has seen it itself",
            steps: [.connects(player), .plays, .parts(player), .isSilent],
            cutOff: [player]
        ),
        Case(
            testDescription: "this machine has seen it itself, and a newer save has come from another machine",
            steps: [.connects(player), .plays, .parts(player), .isSilent, .saves],
            cutOff: []
        ),
        Case(
            testDescription: "this machine has seen it itself, and the witness has not",
            steps: [
                .connects(player), .plays, .parts(player), .isSilent, .connects(witness), .says(player, saved: nil),
            ],
            cutOff: [player]
        ),
        Case(
            testDescription: "the player names a newer save, and is gone before that has come",
            steps: [
                .connects(witness), .says(player, saved: 0), .savesAway, .connects(player), .namesOwn, .parts(player),
            ],
            cutOff: [player]
        ),
        Case(
            testDescription: "the player names a newer save, is gone, and another machine has that save",
            steps: [
                .connects(witness), .says(player, saved: 0), .savesAway, .connects(player), .namesOwn, .parts(player),
                .arrives,
            ],
            cutOff: []
        ),
        Case(
            testDescription: "the player still plays when it connects again, and is gone",
            steps: [
                .connects(witness), .says(player, saved: 0), .connects(player), .plays, .names(player), .parts(player),
                .isSilent,
            ],
            cutOff: [player]
        ),
        Case(
            testDescription: "the player still plays when it connects again, and then stops",
            steps: [
                .connects(player), .plays, .parts(player), .isSilent, .connects(player), .plays, .names(player), .stops,
            ],
            cutOff: []
        ),
        Case(
            testDescription: "this machine has seen it itself, and the player is gone before its newer save has come",
            steps: [
                .connects(player), .plays, .parts(player), .isSilent, .savesAway, .connects(player), .namesOwn,
                .parts(player),
            ],
            cutOff: [player]
        ),
        Case(
            testDescription: "a save that the player named before the cut comes from another machine",
            steps: [
                .connects(player), .plays, .savesAway, .namesOwn, .parts(player), .isSilent, .arrives,
            ],
            cutOff: [player]
        ),
        Case(
            testDescription: "a save that the player named before the cut comes, and then one that it made later",
            steps: [
                .connects(player), .plays, .savesAway, .namesOwn, .parts(player), .isSilent, .arrives, .saves,
            ],
            cutOff: []
        ),
        Case(
            testDescription: "a save from before the cut comes, and the witness knew of it",
            steps: [.connects(witness), .says(player, saved: 1), .saves],
            cutOff: [player]
        ),
        Case(
            testDescription: "the connection to the player breaks only after its claim ran out",
            steps: [.connects(player), .names(player), .plays, .isSilent, .parts(player)],
            cutOff: [player]
        ),
        Case(
            testDescription: "the witness says it before the broken connection to the player is noticed",
            steps: [.connects(player), .names(player), .connects(witness), .says(player, saved: 0), .parts(player)],
            cutOff: [player]
        ),
        Case(
            testDescription: "the player no longer shares the game, and does later",
            steps: [.connects(witness), .says(player, saved: 0), .withdraws(player), .shares(player)],
            cutOff: []
        ),
        Case(
            testDescription:
                "this machine has seen it itself, and the player no longer shares the game, and does later",
            steps: [.connects(player), .plays, .parts(player), .isSilent, .withdraws(player), .shares(player)],
            cutOff: []
        ),
        Case(
            testDescription:
                "this machine has seen it itself, and the game is revoked for the player, and shared again",
            steps: [.connects(player), .plays, .parts(player), .isSilent, .revokes(player), .shares(player)],
            cutOff: []
        ),
    ]

    /// The machine and its versions, as the steps change them.
    private struct Run {
        var (mine, theirs) = (HeadsPlay(5), HeadsPlay(3))
        var machine: SaveSetMachine
        private var (seconds, saves) = (0.0, 0)

        init() {
            let known = SaveSetRecord(mine.heads, peers: SharePeers(allowed: [player, witness]))
            machine = SaveSetMachine(Sample.celeste, known, play: PlayTracker(own, after: 0))
        }

        private mutating func handle(_ event: SaveSetEvent) -> [SaveSetEffect] {
            machine.handle(event, at: .at(seconds))
        }

        @discardableResult
        mutating func take(_ step: Step) throws -> [SaveSetEffect] {
            switch step {
            case .connects(let peer): return handle(.peer(peer, .connected(firstEpoch: 7, isNew: true)))
            case .parts(let peer): return handle(.peer(peer, .disconnected))
            case .greets(let peer): return handle(.peer(peer, .greeted))
            case .names(let peer): return handle(.peer(peer, .named(machine.heads.announcement, room: 1 << 20)))
            case .says(let peer, let saved):
                return handle(.peer(witness, .saysCutOff(saved.flatMap { CutOffPlay(of: peer, saved: $0) })))
            case .namesOwn: return handle(.peer(player, .named(theirs.heads.announcement, room: 1 << 20)))
            case .saves:
                save()
                return try arrive()
            case .savesAway:
                save()
                return []
            case .arrives: return try arrive()
            case .plays: return handle(.play(.claimed(LeaseClaim(player, term: 0, isHeld: true), named: nil)))
            case .isSilent:
                seconds += 60
                return handle(.deadline)
            case .stops: return handle(.play(.released(player)))
            case .withdraws(let peer): return handle(.peer(peer, .stopped(true)))
            case .shares(let peer):
                return handle(.peer(peer, .shared)) + handle(.peer(peer, .stopped(false)))
            case .forgets(let peer): return handle(.peer(peer, .forgotten))
            case .revokes(let peer): return handle(.peer(peer, .revoked))
            }
        }

        private mutating func save() {
            saves += 1
            theirs.captures("chapter \(saves)")
        }

        private mutating func arrive() throws -> [SaveSetEffect] {
            try mine.receives(theirs.heads.heads.compactMap { theirs.heads.graph[$0] }[0], from: theirs)
            return handle(.versions(.stored(mine.heads, mine.actions)))
        }
    }

    @Test("the machines that a user hears of before a game", arguments: cases)
    func heard(_ row: Case) throws {
        var run = Run()
        for step in row.steps { try run.take(step) }
        #expect(run.machine.cutOff == row.cutOff)
    }

    @Test("a machine tells each other one before its versions, and only of the player that it saw itself")
    func told() throws {
        var run = Run()
        for step in [Step.connects(Self.witness), .says(Self.player, saved: 4)] { try run.take(step) }
        #expect(try told(by: run.take(.connects(Self.stranger))) == [])
        #expect(run.machine.play.holder.cutOff == nil)
        for step in [Step.saves, .connects(Self.player), .plays, .parts(Self.player)] { try run.take(step) }
        #expect(try all(run.take(.isSilent)))
        #expect(run.machine.play.holder.cutOff == CutOffPlay(of: Self.player, saved: 1))
        let effects = try run.take(.connects(Self.witness))
        guard case .play(.tellCutOff(Self.witness))? = effects.first else { return #expect(Bool(false), "\(effects)") }
        #expect(try told(by: run.take(.greets(Self.witness))) == [Self.witness])
        #expect(try told(by: run.take(.connects(Self.player))) == [])
        #expect(try withdrawn(by: run.take(.names(Self.player))) == [Self.player])
        #expect(run.machine.play.holder.cutOff == nil)
        #expect(try told(by: run.take(.connects(Self.witness))) == [])
    }

    /// The machines that hear of a player.
    private func told(by effects: [SaveSetEffect]) -> [PeerID] {
        effects.compactMap { if case .play(.tellCutOff(let peer?)) = $0 { peer } else { nil } }
    }

    /// The players that no longer count as cut off, as all other machines hear.
    private func withdrawn(by effects: [SaveSetEffect]) -> [PeerID] {
        effects.compactMap { if case .play(.withdrawCutOff(let player)) = $0 { player } else { nil } }
    }

    /// True if all machines hear of the player.
    private func all(_ effects: [SaveSetEffect]) -> Bool {
        effects.contains { if case .play(.tellCutOff(nil)) = $0 { true } else { false } }
    }
}
