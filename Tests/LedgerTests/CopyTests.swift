import Glibc
@testable import Ledger
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("The copy of a ledger", .timeLimit(.minutes(5)))
struct CopyTests {
    let kit = LedgerKit()
    private let set = SaveSetID(high: 1, low: 2)

    /// Two paired machines, a blocked one, and a game that one of the paired machines shares.
    private func fill() async throws {
        let ledger = try await kit.open()
        for number in 1...2 as ClosedRange<UInt8> {
            try await ledger.pin(peerID(number), name: InstanceName("friend \(number)"))
            try await ledger.setPolicy(.accept, for: peerID(number))
        }
        try await ledger.setPolicy(.block, for: peerID(3))
        try await ledger.setPermissions([.messages], for: peerID(2))
        try await ledger.setDefaultPolicy(.block)
        var entry = SaveSetEntry(set, named: try SaveSetName("celeste"), at: "/games/celeste")
        entry.applied = SnapshotID(words: (1, 2, 3, 4))
        entry.retention = RetentionRule(count: 7, age: nil, space: nil)
        try await ledger.saveSets.put(entry)
        try await ledger.sharing.share(set, with: peerID(1))
        try await ledger.inbox.enter(.message([1]), from: peerID(1), size: ByteCount(1))
    }

    private func check(_ ledger: Ledger) async throws {
        #expect(try await ledger.peers().values.count == 3)
        #expect(try await ledger.peer(peerID(1))?.isPinned == true)
        #expect(try await ledger.peer(peerID(2))?.permissions == [.messages])
        #expect(try await ledger.peer(peerID(3))?.policy == .block)
        #expect(try await ledger.defaultPolicy() == .block)
        let sets = try await ledger.saveSets.all().values
        #expect(sets.map(\.path) == ["/games/celeste"] && sets.map(\.retention.count) == [7])
        #expect(try await ledger.sharing.sharers(of: set).values == [peerID(1)])
    }

    @Test("Peers, policies and folders are restored after the ledger was damaged")
    func comesBack() async throws {
        try await fill()
        let garbage = [UInt8](repeating: 0x2a, count: 70_000)
        try kit.replaceFile(with: garbage)
        let ledger = try await kit.open()
        #expect(ledger.opening == .restored(kit.file + ".damaged-1"))
        #expect(ledger.damage?.code == "ledger.restored")
        #expect(kit.bytes(of: "ledger.sqlite.damaged-1") == garbage)
        try await check(ledger)
        // Values that expire are not in the copy.
        #expect(try await ledger.saveSets.all().values.map(\.applied) == [nil])
        #expect(try await ledger.inbox.all().isEmpty)
        #expect(try await ledger.audit().values.map(\.event) == ["ledger-damaged"])
    }

    @Test("The copy has the last change, also one that removes trust")
    func lastChange() async throws {
        try await fill()
        do {
            let ledger = try await kit.open()
            try await ledger.setPolicy(.block, for: peerID(1))
            try await ledger.sharing.share(set, with: peerID(1), false)
        }
        try kit.replaceFile(with: [1, 2, 3, 4])
        let ledger = try await kit.open()
        #expect(try await ledger.peer(peerID(1))?.policy == .block)
        #expect(try await ledger.sharing.sharers(of: set).values.isEmpty)
    }

    @Test("A left game is restored as left, offers are not restored, and forgotten ones stay forgotten")
    func left() async throws {
        try await fill()
        let (own, given) = (peerID(9), SaveSetID(high: 3, low: 4))
        do {
            let ledger = try await kit.open()
            for id in [set, given] {
                try await ledger.sharing.noteLeft(SaveOffer(id, named: try SaveSetName("celeste")), by: own, in: nil)
            }
            _ = try await ledger.sharing.noteOffer(
                SaveOffer(SaveSetID(high: 5, low: 6), named: try SaveSetName("doom")),
                from: peerID(1),
                to: own
            )
            try await ledger.saveSets.remove(set)
            try await ledger.sharing.removeOffer(of: given, from: own)
        }
        try kit.replaceFile(with: [1, 2, 3, 4])
        #expect(try await kit.open().sharing.offeredSets().values.map(\.offer.set) == [set])
    }

    @Test("A change that is missing in the copy after a crash is added at the next opening")
    func upToDate() async throws {
        try await fill()
        let before = try #require(kit.bytes(of: "ledger.copy"))
        do { try await kit.open().setPolicy(.block, for: peerID(1)) }
        try kit.replaceFile("ledger.copy", with: before)
        do { _ = try await kit.open() }
        try kit.replaceFile(with: [1, 2, 3, 4])
        #expect(try await kit.open().peer(peerID(1))?.policy == .block)
    }

    @Test("A ledger without a copy gets one when it is opened")
    func made() async throws {
        try await fill()
        unlink("\(kit.path)/ledger.copy")
        do { _ = try await kit.open() }
        try kit.replaceFile(with: [1, 2, 3, 4])
        try await check(try await kit.open())
    }

    @Test("A damaged copy is set aside as well, and no peer is known")
    func damagedToo() async throws {
        try await fill()
        try kit.replaceFile(with: [1, 2, 3, 4])
        try kit.replaceFile("ledger.copy", with: [5, 6, 7, 8])
        let ledger = try await kit.open()
        #expect(ledger.opening == .setAside(kit.file + ".damaged-1"))
        #expect(try await ledger.peers().values.isEmpty)
        #expect(kit.bytes(of: "ledger.sqlite.damaged-2") == [5, 6, 7, 8])
    }

    @Test(
        "A copy that could not replace a damaged ledger does so at the next opening",
        arguments: [nil, 0, 1]
    )
    func interrupted(length: Int?) async throws {
        try await fill()
        rename(kit.file, kit.file + ".damaged-1")
        if let length { try kit.replaceFile(with: [UInt8](repeating: 0, count: length)) }
        do {
            let ledger = try await kit.open()
            #expect(ledger.opening == .restored(kit.file + (length == nil ? ".damaged-1" : ".damaged-2")))
            try await check(ledger)
            try await ledger.pin(peerID(4))
        }
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        #expect(try await ledger.peers().values.count == 4)
    }

    @Test("The copy replaces a missing ledger, which is reported")
    func gone() async throws {
        try await fill()
        unlink(kit.file)
        let ledger = try await kit.open()
        #expect(ledger.opening == .restored(nil))
        #expect(ledger.damage?.code == "ledger.restored")
        #expect(ledger.damage?.message.contains("is gone") == true)
        try await check(ledger)
    }

    @Test("Without a ledger a damaged copy is set aside, and no peer is known")
    func goneAndDamaged() async throws {
        try await fill()
        unlink(kit.file)
        try kit.replaceFile("ledger.copy", with: [5, 6, 7, 8])
        let ledger = try await kit.open()
        #expect(ledger.opening == .setAside(kit.file + ".damaged-1"))
        #expect(try await ledger.peers().values.isEmpty)
        #expect(kit.bytes(of: "ledger.sqlite.damaged-1") == [5, 6, 7, 8])
    }

    @Test("Only its owner can read the copy")
    func mode() async throws {
        try await fill()
        var facts = stat()
        #expect(stat("\(kit.path)/ledger.copy", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }
}
