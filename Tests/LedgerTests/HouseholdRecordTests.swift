import Ledger
import SaveProperties
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Machines of the household in the ledger", .timeLimit(.minutes(5)))
struct HouseholdRecordTests {
    private let kit = LedgerKit()

    private func seal(_ number: UInt8) throws -> VersionSeal {
        SaveProperties.seal(of: try #require(PublicKey(bytes: machine(number).bytes)))
    }

    private func name(_ text: String = "Deck") throws -> InstanceName { try InstanceName(text) }

    /// An admission of machine 2, which machine 1 vouches for, to the household of machine 9.
    private func admission() throws -> HouseholdStatements.Admission {
        var statements = HouseholdStatements(of: machine(9))
        let standings = [machine(1): MachineStanding.mine]
        let statement = HouseholdStatement(
            about: machine(2),
            named: try name(),
            number: 1,
            .paired(after: []),
            sealedBy: try seal(1)
        )
        #expect(statements.take(statement, standings, checkedBy: SaveProperties.check) == .new)
        return try #require(statements.admissions(standings).first)
    }

    private func pair(_ peer: PeerID, in ledger: Ledger) async throws {
        try await ledger.pin(peer)
        try await ledger.setPolicy(.accept, for: peer)
    }

    @Test("A machine that is vouched for is paired, with all rights and its voucher, and still is after opening again")
    func admitted() async throws {
        do {
            let ledger = try await kit.open()
            try await pair(machine(1), in: ledger)
            #expect(try await ledger.statements.admit(admission(), at: someTime(4)))
            #expect(try await !ledger.statements.admit(admission()), "it has an entry now")
        }
        let ledger = try await kit.open()
        let peer = try #require(try await ledger.peer(machine(2)))
        #expect(peer.standing == .mine && peer.pinnedSince == someTime(4) && peer.permissions == .all)
        #expect(try peer.name == name())
        #expect(try await ledger.statements.vouchers() == [machine(2): machine(1)])
        // Once the user pairs it, no voucher is needed.
        try await ledger.pin(machine(2))
        #expect(try await ledger.statements.vouchers().isEmpty)
    }

    @Test(
        "A decision of the user wins over a statement: a block, a policy, a forgotten machine, a voucher that may do less"
    )
    func decisions() async throws {
        let decisions: [@Sendable (Ledger) async throws -> Void] = [
            { try await $0.setPolicy(.block, for: machine(2)) },
            { try await $0.setPolicy(.ask, for: machine(2)) },
            { try await $0.pin(machine(2)) },
            {
                try await $0.setPolicy(.ask, for: machine(2))
                try await $0.forget(machine(2))
            },
            { try await $0.setPolicy(.ask, for: machine(1)) },
            { try await $0.setPermissions(.messages, for: machine(1)) },
            { try await $0.forget(machine(1)) },
            { try await $0.setDefaultPolicy(.block) },
        ]
        for (number, decide) in decisions.enumerated() {
            let ledger = try await LedgerKit().open()
            try await pair(machine(1), in: ledger)
            try await decide(ledger)
            let before = try await ledger.peer(machine(2))
            #expect(try await !ledger.statements.admit(admission()), "decision \(number)")
            #expect(try await ledger.peer(machine(2)) == before)
        }
    }

    @Test("A forgotten machine is marked in the same step, until a statement says so or a user pairs it")
    func forgotten() async throws {
        let ledger = try await kit.open()
        try await pair(machine(1), in: ledger)
        try await ledger.setPolicy(.ask, for: machine(2))
        #expect(try await ledger.statements.forgottenMachines().isEmpty)
        for peer in [machine(1), machine(2), machine(3)] { try await ledger.forget(peer) }
        #expect(try await ledger.statements.forgottenMachines() == [machine(1): true, machine(2): false])
        try await ledger.statements.store(HouseholdStatements.Changes(), settled: [machine(1)])
        try await ledger.pin(machine(2))
        #expect(try await ledger.statements.forgottenMachines().isEmpty)
    }

    @Test(
        "Statements are stored, replaced and dropped, and a kept machine stays kept as long as it is only removed again"
    )
    func statements() async throws {
        var statements = HouseholdStatements(of: machine(1))
        let (one, two) = (try seal(1), try seal(2))
        statements.vouch(for: machine(3), named: try name(), sealedBy: one)
        let standings = [machine(2): MachineStanding.mine, machine(3): .mine]
        func take(_ number: UInt64, _ claim: HouseholdStatement.Claim) throws {
            let statement = HouseholdStatement(
                about: machine(3),
                named: try name(),
                number: number,
                claim,
                sealedBy: two
            )
            #expect(statements.take(statement, standings, checkedBy: SaveProperties.check) == .new)
        }
        try take(1, .removed)
        let ledger = try await kit.open()
        try await ledger.statements.store(statements.takeChanges(), settled: [])
        try await ledger.statements.keep(statements.keep(machine(3)))
        try take(2, .removed)
        try await ledger.statements.store(statements.takeChanges(), settled: [])
        #expect(try await ledger.statements.all().values.map(\.isKept) == [false, true])
        try take(3, .paired(after: []))
        try await ledger.statements.store(statements.takeChanges(), settled: [])
        let stored = try await ledger.statements.all().values
        #expect(stored.map(\.isKept) == [false, false])
        let read = try stored.map { try HouseholdStatement(decoding: $0.bytes, hashedBy: SaveProperties.mixed) }
        #expect(read.map(\.number) == [1, 3])
        statements.dropWorthless([machine(2): .blocked])
        try await ledger.statements.store(statements.takeChanges(), settled: [])
        #expect(try await ledger.statements.all().values.count == 1)
    }

    @Test("Decisions of users about machines of the household are in the copy of the ledger")
    func copied() async throws {
        do {
            let ledger = try await kit.open()
            try await pair(machine(1), in: ledger)
            #expect(try await ledger.statements.admit(admission()))
            var statements = HouseholdStatements(of: machine(9))
            statements.vouch(for: machine(1), named: try name(), sealedBy: try seal(9))
            try await ledger.statements.store(statements.takeChanges(), settled: [])
            try await ledger.setPolicy(.ask, for: machine(5))
            try await ledger.forget(machine(5))
        }
        try kit.replaceFile(with: [1, 2, 3])
        let ledger = try await kit.open()
        guard case .restored = ledger.opening else {
            Issue.record("\(ledger.opening)")
            return
        }
        #expect(try await ledger.statements.vouchers() == [machine(2): machine(1)])
        #expect(try await ledger.statements.all().values.count == 1)
        #expect(try await ledger.statements.forgottenMachines() == [machine(5): false])
    }
}

/// A machine whose id can be a key in a test.
private func machine(_ number: UInt8) -> PeerID { peerID(number, 7) }
