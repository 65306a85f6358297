import Ledger
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Household

@Suite("Names of machines that the user types", .timeLimit(.minutes(5)))
struct MachineLookupTests {
    private let folder = TemporaryFolder()

    private func peer(_ byte: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: byte, count: 32)))
    }

    private func tag(_ byte: UInt8, _ name: String) throws -> PeerTag {
        PeerTag(try peer(byte), try InstanceName(name))
    }

    private func known() async throws -> (ledger: Ledger, lookup: MachineLookup) {
        let ledger = try await Ledger.open(at: folder.path)
        return (ledger, MachineLookup(ledger))
    }

    private func refusal(_ work: () async throws -> Void) async -> HouseholdError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? HouseholdError
        }
    }

    @Test("a key is named by its id alone, never by a name that reads like one")
    func keyByID() throws {
        let id = try peer(4)
        for name in ["steamdeck", "living-room", "aqca-ibab", String(id.short.prefix(8))] {
            #expect(!PeerWords.name(name, keyOf: id))
        }
        for typed in [id.short, id.description, id.short.uppercased()] { #expect(PeerWords.name(typed, keyOf: id)) }
    }

    @Test("a stranger that is seen is found by its name and the beginning of its id, and is given no rights")
    func stranger() async throws {
        let (_, lookup) = try await known()
        let (four, five) = (try tag(4, "four"), try tag(5, "five"))
        for typed in ["four", four.id.short, String(four.id.short.prefix(6))] {
            let meant = try await lookup.find(typed) { [four, five] }
            #expect(meant.tag == four && !meant.isProven)
            #expect(throws: HouseholdError.self) { try meant.mayBeGivenRights() }
            #expect(throws: Never.self) { try meant.mayBeReset() }
        }
    }

    @Test("Two machines that announce the same name are not chosen by it, and the error names both IDs")
    func ambiguous() async throws {
        let (ledger, lookup) = try await known()
        let (first, second) = (try tag(4, "four"), try tag(5, "four"))
        let both = try #require(await refusal { _ = try await lookup.find("four") { [first, second] } })
        #expect(both.message.contains(first.id.short) && both.message.contains(second.id.short), "\(both)")
        // A blocked machine of that name is not taken for the visible one, either.
        try await ledger.setPolicy(.block, for: first.id, name: first.name)
        let one = try #require(await refusal { _ = try await lookup.find("four") { [second] } })
        #expect(one.message == both.message)
    }

    @Test("A paired machine counts before others that announce its name, without a look at the network")
    func pinned() async throws {
        let (ledger, lookup) = try await known()
        let deck = try tag(1, "Deck")
        try await ledger.pin(deck.id, name: deck.name)
        let meant = try await lookup.find("Deck") {
            Issue.record("the network was asked")
            return []
        }
        #expect(meant.tag == deck && meant.isProven && meant.isPinned)
    }

    @Test("a name that is announced for a pinned peer finds it, and gives it nothing back")
    func renamed() async throws {
        let (ledger, lookup) = try await known()
        let (deck, other) = (try tag(1, "Deck"), try tag(1, "Box"))
        try await ledger.pin(deck.id, name: deck.name)
        let meant = try await lookup.find("Box") { [other] }
        #expect(meant.tag == deck && !meant.isProven)
        #expect(throws: HouseholdError.self) { try meant.mayBeReset() }
    }

    @Test("a machine that was blocked by its id alone is found by the name that it announces")
    func blockedByID() async throws {
        let (ledger, lookup) = try await known()
        let box = try tag(2, "box")
        try await ledger.setPolicy(.block, for: box.id)
        let meant = try await lookup.find("box") { [box] }
        #expect(meant.tag == box)
        #expect(throws: Never.self) { try meant.mayBeReset() }
    }

    @Test("An unknown name means no machine, and a whole ID always means one")
    func unseen() async throws {
        let (_, lookup) = try await known()
        let refused = try #require(await refusal { _ = try await lookup.find("four") { [] } })
        #expect(refused.message == "no machine is known or seen here as “four”")
        let whole = try await lookup.find(try peer(9).description) { [] }
        #expect(try whole.tag.id == peer(9) && whole.isProven)
    }

    @Test("two machines whose names look alike are found by their ids, and not by their names")
    func lookalikes() async throws {
        let (ledger, lookup) = try await known()
        let (real, false_) = (try tag(4, "Alpha"), try tag(5, "\u{410}lpha"))
        for typed in ["Alpha", "\u{410}lpha"] {
            let both = try #require(await refusal { _ = try await lookup.find(typed) { [real, false_] } })
            #expect(both.message.contains(real.id.short) && both.message.contains(false_.id.short), "\(both)")
            #expect(both.nextStep.contains("id"))
        }
        #expect(try await lookup.find(false_.id.short) { [real, false_] }.tag == false_)
        // A known machine is meant by its name even if the name of another one looks like it. The other machine is not
        // meant by its own name.
        try await ledger.pin(real.id, name: real.name)
        #expect(try await lookup.find("Alpha") { [real, false_] }.tag == real)
        #expect(await refusal { _ = try await lookup.find("\u{410}lpha") { [false_] } } != nil)
    }

    @Test("a machine is marked if its name is like that of another machine")
    func marked() throws {
        let (real, other, namesake) = (try tag(4, "Alpha"), try tag(5, "\u{410}lpha"), try tag(6, "Beta"))
        let mark = other.marked(among: [real, other, namesake])
        #expect(mark.full == #"\u{410}lpha (\#(other.id.short)) (looks like “Alpha”)"#)
        let line = DaemonLine.machine(.met, mark, nil)
        #expect(line.fields.line.contains(#""looksLike":"Alpha""#))
        #expect(try DaemonLine(line.fields).event.peer == mark)
        #expect(real.marked(among: [real, namesake]).twin == nil)
    }

    @Test("a machine with a name like another one's is marked in the list of peers")
    func listed() throws {
        var (real, other) = (KnownPeer(id: try peer(4)), KnownPeer(id: try peer(5)))
        (real.name, other.name) = (try InstanceName("Alpha"), try InstanceName("Alphа"))
        let rows = PeerRows(known: [real, other, KnownPeer(id: try peer(6))], found: [], own: try peer(1))
        let lines = rows.line(defaultPolicy: .ask, account: { _ in nil })
        #expect(lines.filter { $0.sentence?.contains("looks like") == true }.count == 2)
        #expect(Set(rows.tags.compactMap(\.twin?.text)) == ["Alpha", "Alphа"])
    }

    @Test(
        "a machine has room for its name in the list of peers, and the columns are those of the head",
        arguments: [5, 16, 24, 32]
    )
    func columns(length: Int) throws {
        let names = [String(repeating: "n", count: length), "Desk", String(repeating: "x", count: 40)]
        let known = try names.enumerated().map { place, name in
            var peer = KnownPeer(id: try peer(UInt8(place + 4)))
            peer.name = try InstanceName(name)
            return peer
        }
        let lines = PeerRows(known: known, found: [], own: try peer(1)).line(defaultPolicy: .ask, account: { _ in nil })
        let sentences = [PeerRows.head(above: try #require(lines.first))] + lines.compactMap(\.sentence)
        let places = sentences.filter { !$0.hasPrefix("x") }.map { sentence in
            sentence.distance(
                from: sentence.startIndex,
                to: sentence.firstRange(of: sentence.contains("ID") ? "POLICY" : "ask")?.lowerBound
                    ?? sentence.startIndex
            )
        }
        #expect(Set(places) == [max(16, length) + 2 + 9 + 2])
    }
}
