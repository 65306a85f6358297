import Ledger
import SaveRules
import Session
import Testing
import Vocabulary

@testable import Household
@testable import huddle

@Suite("The home screen")
struct HomePictureTests {
    private static let now: Int64 = 1_795_756_439

    private static func peer(_ number: UInt8, _ name: String) throws -> PeerTag {
        PeerTag(try #require(PeerID(bytes: [UInt8](repeating: number, count: 32))), try InstanceName(name))
    }

    private static func machine(_ peer: PeerTag, isOnline: Bool) -> MachineInfo {
        MachineInfo(peer, policy: .accept, isPaired: true, isOnline: isOnline)
    }

    private static func game(_ name: String, _ state: GameStatus, with peers: [PeerTag], by saver: PeerTag) -> GameInfo
    {
        var game = GameInfo(
            set: name,
            name: name,
            path: "/\(name)",
            state: state,
            versions: VersionsInfo(count: 1, newest: [], shown: nil),
            settings: GameSettingsInfo(
                retention: RetentionInfo(versions: 50, days: nil, bytes: nil),
                settleTime: 0.3
            )
        )
        game.sharers.all = peers.map { $0.id.description }
        game.lastSave = LastSaveInfo(on: saver, at: now - 120)
        return game
    }

    private static func picture(width: Int, _ change: (inout HomePicture.Facts) -> Void = { _ in }) throws -> [String] {
        let (own, deck, box) = (try peer(1, "Desk"), try peer(2, "Deck"), try peer(3, "Box"))
        var facts = HomePicture.Facts(
            status: StatusInfo(own, version: "1.0", process: 7, since: now, port: 4242, inbox: "/inbox"),
            games: [
                game("celeste", .inSync, with: [deck, box], by: own),
                game("a-game-with-quite-a-long-name", .conflict, with: [deck], by: deck),
            ],
            offers: [],
            machines: [machine(deck, isOnline: true), machine(box, isOnline: false)],
            invitations: []
        )
        change(&facts)
        return HomePicture(facts, width: width, now: WallTime(secondsSince1970: now)).text
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("The first line names this machine and counts the machines online")
    func head() throws { #expect(try Self.picture(width: 80)[0] == "Desk · 1 of 2 machines online") }

    @Test("The first line names the only other machine")
    func pair() throws {
        #expect(try Self.picture(width: 80) { $0.machines.removeLast() }[0] == "Desk · Deck is online")
        #expect(try Self.picture(width: 80) { $0.machines.removeFirst() }[0] == "Desk · Box is offline")
    }

    @Test("The screen has a row for each game with its machines")
    func rows() throws {
        let lines = try Self.picture(width: 100)
        #expect(lines[2].hasPrefix("  GAME"))
        #expect(lines[3] == "  celeste                 in sync   2 min ago, Desk  Deck ●  Box ○")
        #expect(lines[4] == "  a-game-with-quite-a-l…  CONFLICT  2 min ago, Deck  Deck ●")
    }

    @Test("The screen asks about a machine that another one removed, with both commands")
    func removed() throws {
        let deck = try Self.peer(2, "Deck")
        let lines = try Self.picture(width: 100) { $0.machines[1].removedBy = [deck.id.description] }
        #expect(lines.contains("  Deck removed Box → huddle keep Box, or huddle forget Box"), "\(lines)")
    }

    @Test("The screen marks a machine that has not joined a game")
    func notJoined() throws {
        let box = try Self.peer(3, "Box")
        let lines = try Self.picture(width: 100) { $0.games[0].sharers.notJoined = [box.id.description] }
        #expect(lines[3] == "  celeste                 in sync   2 min ago, Desk  Deck ●  Box (not joined)")
    }

    @Test("The screen tells machines of one name apart by their IDs")
    func namesakes() throws {
        let other = try Self.peer(3, "Deck")
        let lines = try Self.picture(width: 120) { $0.machines[1] = Self.machine(other, isOnline: false) }
        #expect(lines[3].hasSuffix(") ●  \(other.full) ○"))
    }

    @Test("The screen fits the terminal", arguments: [60, 80, 140])
    func widths(width: Int) throws {
        let table = try Self.picture(width: width).prefix { $0 != "Needs you:" }
        #expect(table.allSatisfy { $0.count <= width }, "\(table)")
        #expect(table.contains { $0.contains("celeste") && $0.contains("in sync") && $0.contains("Deck ●") })
    }

    @Test("The screen lists all that needs the user with the command to run")
    func needs() throws {
        let stranger = try Self.peer(9, "New one")
        let lines = try Self.picture(width: 80) { facts in
            facts.games[1].problem = PassedOnError(
                HouseholdError(
                    "saves.conflict",
                    "it was changed on two machines",
                    nextStep: "huddle fix a-game-with-quite-a-long-name"
                )
            )
            facts.offers = [OfferInfo(set: "world", name: "world", of: stranger, machines: [])]
            facts.invitations = [InvitationEvent(stranger, session: "chat", invitation: "0f", needsCode: true)]
        }
        let start = try #require(lines.firstIndex(of: "Needs you:"))
        #expect(
            Array(lines[(start + 1)...]) == [
                "  New one wants to pair → huddle pair 'New one'",
                "  a-game-with-quite-a-long-name: it was changed on two machines "
                    + "→ huddle fix a-game-with-quite-a-long-name",
                "  New one offers world → huddle join world",
            ]
        )
    }

    @Test("The screen names the first step if no machine is paired")
    func empty() throws {
        let lines = try Self.picture(width: 80) {
            $0 = HomePicture.Facts(status: $0.status, games: [], offers: [], machines: [], invitations: [])
        }
        #expect(
            lines == ["Desk · no machine is paired", "", "Pair another machine: run `huddle pair` here and there."]
        )
    }

    @Test("The screen names the command to share a game if none is shared")
    func noGames() throws {
        let lines = try Self.picture(width: 80) { $0.games = [] }
        #expect(lines.last == "Share a game: `huddle games` lists those found here, then `huddle share GAME`.")
    }
}
