import Digests
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Testing
import TestSupport
import Vocabulary

@Suite("Machines of a household that vouch for each other", .timeLimit(.minutes(5)))
struct VouchingTests {
    /// Pairs two machines, as users do with `huddle pair`.
    @Engine
    private func pair(_ one: SaveMachine, _ other: SaveMachine) async throws {
        try await one.know(other)
        for (here, there) in [(one, other), (other, one)] { try await here.node.setPolicy(.accept, for: there.id) }
    }

    @Engine
    private func standing(of peer: SaveMachine, at machine: SaveMachine) async throws -> MachineStanding? {
        try await machine.node.ledger.peer(peer.id)?.standing
    }

    @Engine
    private func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await othersTurn() }
    }

    /// Opens three machines, of which the second is paired with both others.
    @Engine
    private func household(
        _ body: (_ desk: SaveMachine, _ deck: SaveMachine, _ box: SaveMachine) async throws -> Void
    ) async throws {
        let (desk, deck) = (try await SaveMachine.open("desk"), try await SaveMachine.open("deck"))
        let box = try await SaveMachine.open("box")
        try await pair(desk, deck)
        try await body(desk, deck, box)
        for machine in [desk, deck, box] { await machine.stop() }
    }

    /// A statement by `voucher` about `subject`, as stored at a third machine.
    @Engine
    private func statement(of voucher: SaveMachine, about subject: SaveMachine, at machine: SaveMachine) async throws
        -> HouseholdStatement?
    {
        let stored = try await machine.node.ledger.statements.all().values
        return try stored.map { try HouseholdStatement(decoding: $0.bytes, hashedBy: Digest.sha256) }
            .first { $0.voucher == voucher.id && $0.subject == subject.id }
    }

    @Test("A machine that is paired with one machine is paired with all, on both sides, and is shown with its voucher")
    @Engine
    func pairedWithAll() async throws {
        try await household { desk, deck, box in
            var event: [HouseholdChange] = []
            desk.engine.household.whenChanged = { event.append($0) }
            try await pair(deck, box)
            try await until { try await standing(of: box, at: desk) == .mine }
            try await until { try await standing(of: desk, at: box) == .mine }
            #expect(try await desk.node.ledger.statements.vouchers() == [box.id: deck.id])
            #expect(try await box.node.ledger.statements.vouchers() == [desk.id: deck.id])
            let entry = try await desk.noted("vouched")
            #expect(entry.peer == box.id && entry.details == [.init("voucher", deck.id.description)])
            guard case .vouched(box.id, let name, deck.id) = event.first else {
                Issue.record("\(event)")
                return
            }
            #expect(name.text == "box" && event.count == 1)
        }
    }

    @Test("A machine that was away when another one was paired hears of it later, also after a restart of the voucher")
    @Engine
    func away() async throws {
        let folder = TemporaryFolder.inMemory()
        let box = try await SaveMachine.open("box")
        let desk = try await SaveMachine.open("desk")
        try await SaveMachine.live("deck", in: folder) { first in
            try await pair(first, box)
            try await until { try await statement(of: first, about: box, at: first) != nil }
        }
        let deck = try await SaveMachine.open("deck", in: folder)
        try await pair(deck, desk)
        try await until { try await standing(of: box, at: desk) == .mine }
        for machine in [desk, deck, box] { await machine.stop() }
    }

    @Test(
        "A blocked machine stays blocked, whichever machine vouches for it, and no other machine hears of it from here"
    )
    @Engine
    func blocked() async throws {
        try await household { desk, deck, box in
            try await desk.node.block(box.id)
            try await pair(deck, box)
            try await until { try await statement(of: deck, about: box, at: deck) != nil }
            // The statement about the pad arrives after the one about the box. Once it is here, the earlier one is,
            // too.
            let pad = try await SaveMachine.open("pad")
            try await pair(deck, pad)
            try await until { try await standing(of: pad, at: desk) == .mine }
            #expect(try await standing(of: box, at: desk) == .blocked)
            #expect(try await statement(of: deck, about: box, at: desk) == nil)
            await pad.stop()
        }
    }

    @Test("A guest is not vouched for, and vouches for no machine")
    @Engine
    func guests() async throws {
        try await household { desk, deck, box in
            try await deck.know(box)
            for (here, there) in [(deck, box), (box, deck)] {
                try await here.node.setPermissions([.messages, .resources], for: there.id)
                try await here.node.setPolicy(.ask, for: there.id)
            }
            let pad = try await SaveMachine.open("pad")
            try await pair(deck, pad)
            try await until { try await standing(of: pad, at: desk) == .mine }
            #expect(try await standing(of: box, at: desk) == nil)
            #expect(try await standing(of: pad, at: box) == nil)
            await pad.stop()
        }
    }

    @Test("A machine that one user forgets is a question for the users of the others, and they keep it")
    @Engine
    func removed() async throws {
        try await household { desk, deck, box in
            try await pair(deck, box)
            try await until { try await standing(of: box, at: desk) == .mine }
            try await until { try await standing(of: desk, at: box) == .mine }
            try await deck.node.forget(box.id)
            try await until { desk.engine.household.removed == [.init(box.id, by: [deck.id])] }
            #expect(try await desk.noted("removed-elsewhere").peer == box.id)
            #expect(try await standing(of: box, at: desk) == .mine, "the user decides")
            #expect(try await desk.engine.household.keep(box.id))
            #expect(desk.engine.household.removed.isEmpty)
            #expect(try await !desk.engine.household.keep(box.id))
            // The statement of the other paired machine does not restore the forgotten machine.
            try await until { try await statement(of: deck, about: box, at: deck)?.isPairing == false }
            #expect(try await standing(of: box, at: deck) == nil)
            #expect(try await statement(of: deck, about: box, at: box)?.isPairing != false, "it learns nothing")
        }
    }

    @Test("A machine that was forgotten here stays away until a user pairs it again where the removal is known")
    @Engine
    func forgottenHere() async throws {
        try await household { desk, deck, box in
            try await pair(deck, box)
            try await until { try await standing(of: box, at: desk) == .mine }
            try await desk.node.forget(box.id)
            try await until { deck.engine.household.removed == [.init(box.id, by: [desk.id])] }
            // As soon as a later statement of the same machine is here, the earlier one is, too.
            let pad = try await SaveMachine.open("pad")
            try await pair(deck, pad)
            try await until { try await standing(of: pad, at: desk) == .mine }
            #expect(try await standing(of: box, at: desk) == nil)
            // The user of the deck pairs it once more, and knows of the removal.
            try await deck.node.setPolicy(.ask, for: box.id)
            try await until { try await statement(of: deck, about: box, at: desk)?.isPairing == false }
            try await deck.node.setPolicy(.accept, for: box.id)
            try await until { try await standing(of: box, at: desk) == .mine }
            await pad.stop()
        }
    }
}
