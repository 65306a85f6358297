import Ledger
import Testing
import TestSupport
import Vocabulary

@Suite("Peers of the ledger", .timeLimit(.minutes(5)))
struct PeerTests {
    let kit = LedgerKit()

    @Test("All values of a peer are there after the ledger was reopened")
    func persistence() async throws {
        let address = try HostAndPort("[fe80::1%eth0]:4242")
        let name = try InstanceName("Deck")
        do {
            let ledger = try await kit.open()
            #expect(ledger.opening == .fresh)
            try await ledger.pin(
                peerID(1),
                name: name,
                permissions: [.messages],
                note: Label("by code"),
                at: someTime(0)
            )
            try await ledger.setPolicy(.accept, for: peerID(1))
            #expect(try await ledger.saw(peerID(1), at: address, time: someTime(5)))
        }
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        let peer = try #require(try await ledger.peer(peerID(1)))
        #expect(peer.name == name && peer.isPinned && peer.pinnedSince == someTime(0))
        #expect(peer.policy == .accept && peer.permissions == [.messages])
        #expect(peer.lastSeen == someTime(5) && peer.addresses == [address])
        #expect(try peer.note == Label("by code"))
    }

    @Test("A second pinning keeps the first time and the other values")
    func pinAgain() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1), name: InstanceName("Deck"), permissions: .messages, at: someTime(0))
        try await ledger.pin(peerID(1), at: someTime(9))
        var peer = try #require(try await ledger.peer(peerID(1)))
        #expect(peer.pinnedSince == someTime(0) && peer.permissions == .messages)
        #expect(try peer.name == InstanceName("Deck"))
        try await ledger.setPermissions([.streams, Permissions(rawValue: 1 << 7)], for: peerID(1))
        try await ledger.unpin(peerID(1))
        peer = try #require(try await ledger.peer(peerID(1)))
        #expect(!peer.isPinned && peer.permissions == [.streams, Permissions(rawValue: 1 << 7)])
    }

    @Test("A seen stranger is not stored, and a blocked one is")
    func strangers() async throws {
        let ledger = try await kit.open()
        #expect(try await ledger.saw(peerID(1)) == false)
        #expect(try await ledger.peer(peerID(1)) == nil)
        try await ledger.setPolicy(.block, for: peerID(1), name: InstanceName("Nobody"))
        #expect(try await ledger.peer(peerID(1))?.policy == .block)
        #expect(try await ledger.saw(peerID(1)))
        try await ledger.setPolicy(nil, for: peerID(1))
        #expect(try await ledger.peer(peerID(1))?.policy == nil)
    }

    @Test("An unblocked peer has its policy from before the block, also after two blocks")
    func unblock() async throws {
        let ledger = try await kit.open()
        for policy in [.accept, .ask, nil] as [Policy?] {
            try await ledger.setPolicy(policy, for: peerID(1))
            for _ in 0..<2 { try await ledger.setPolicy(.block, for: peerID(1)) }
            #expect(try await kit.open().peer(peerID(1))?.policyBeforeBlock == policy)
            #expect(try await ledger.unblock(peerID(1)) == policy)
            #expect(try await ledger.peer(peerID(1))?.policy == policy)
        }
        try await ledger.setPolicy(.accept, for: peerID(1))
        try await ledger.setPolicy(.block, for: peerID(1))
        try await ledger.setPolicy(.ask, for: peerID(1))
        #expect(try await ledger.peer(peerID(1))?.policyBeforeBlock == nil)
    }

    @Test("The latest addresses come first, each once, and only a few are kept")
    func addresses() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1))
        for port in [1, 2, 3, 2, 4, 5, 6] { try await ledger.saw(peerID(1), at: HostAndPort("10.0.0.1:\(port)")) }
        #expect(try await ledger.peer(peerID(1))?.addresses.map(\.port) == [6, 5, 4, 2])
    }

    @Test("A peer can be forgotten once")
    func forgotten() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1))
        #expect(try await ledger.forget(peerID(1)))
        #expect(try await ledger.forget(peerID(1)) == false)
        #expect(try await ledger.peer(peerID(1)) == nil)
        #expect(try await ledger.peers().values.isEmpty)
    }

    @Test("A paired peer keeps its name beside strangers of that name, unless it looks like an ID")
    func namesakes() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1), name: InstanceName("Deck"))
        try await ledger.setPolicy(.block, for: peerID(2), name: InstanceName("Deck"))
        guard case .one(let peer) = try await ledger.find("deck") else { return #expect(Bool(false)) }
        #expect(peer.id == peerID(1))
        try await ledger.pin(peerID(3), name: InstanceName("Deck"))
        guard case .several = try await ledger.find("Deck") else { return #expect(Bool(false)) }
    }

    @Test("Names are found in any case of letters, as in DNS")
    func findByName() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1), name: InstanceName("Living Room Ä"))
        try await ledger.pin(peerID(2), name: InstanceName("deck"))
        try await ledger.pin(peerID(3), name: InstanceName("DECK"))
        guard case .one(let peer) = try await ledger.find("living room Ä") else { return #expect(Bool(false)) }
        #expect(peer.id == peerID(1))
        #expect(try await ledger.find("living room ä") == .none)
        guard case .several(let decks) = try await ledger.find("Deck") else { return #expect(Bool(false)) }
        #expect(decks.map(\.id) == [peerID(2), peerID(3)])
        #expect(try await ledger.keysFor(name: InstanceName("dEcK")).values.map(\.id) == [peerID(2), peerID(3)])
        #expect(try await ledger.keysFor(name: InstanceName("dec")).values.isEmpty)
    }

    @Test("The beginning of an ID finds its peer, with or without hyphens and in any case")
    func findByPrefix() async throws {
        let ledger = try await kit.open()
        for first in [1, 2, 0xFF] as [UInt8] { try await ledger.pin(peerID(first, 7)) }
        let text = peerID(0xFF, 7).description
        for typed in [text, text.uppercased(), String(text.prefix(6)), "7", text.filter { $0 != "-" }] {
            guard case .one(let peer) = try await ledger.find(typed) else {
                Issue.record("“\(typed)” was not found")
                continue
            }
            #expect(peer.id == peerID(0xFF, 7))
        }
        guard case .several(let both) = try await ledger.find("a") else { return #expect(Bool(false)) }
        #expect(both.count == 2)
        for typed in ["", "-", "%", "_", "1", "{", "z9", text + "a"] { #expect(try await ledger.find(typed) == .none) }
    }

    @Test("A peer whose name is another one's ID is not mistaken for it")
    func nameLikeAnID() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1))
        let claimed = peerID(1).description.filter { $0 != "-" }
        try await ledger.pin(peerID(2), name: InstanceName(claimed))
        try await ledger.pin(peerID(3), name: InstanceName(String(claimed.prefix(8))))
        guard case .one(let peer) = try await ledger.find(claimed) else { return #expect(Bool(false)) }
        #expect(peer.id == peerID(1))
        guard case .several(let both) = try await ledger.find(String(claimed.prefix(8))) else {
            return #expect(Bool(false))
        }
        #expect(Set(both.map(\.id)) == [peerID(1), peerID(3)])
    }

    @Test(
        "SQL in a name is a name",
        arguments: ["'; DROP TABLE peers; --", "\" OR 1=1 --", "?1", "a' || 'b", "%", "\\", "NULL"]
    )
    func injection(text: String) async throws {
        let ledger = try await kit.open()
        let name = try InstanceName(text)
        try await ledger.pin(peerID(1), name: name, note: Label(text))
        try await ledger.pin(peerID(2), name: InstanceName("other"))
        #expect(try await ledger.peer(peerID(1))?.name?.text == text)
        guard case .one(let peer) = try await ledger.find(text) else { return #expect(Bool(false)) }
        #expect(peer.id == peerID(1))
        #expect(try await ledger.keysFor(name: name).values.count == 1)
        #expect(try await ledger.peers().values.count == 2)
    }
}
