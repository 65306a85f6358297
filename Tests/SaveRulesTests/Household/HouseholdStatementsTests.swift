import SaveProperties
import SaveRules
import Testing
import Vocabulary

@Suite("The statements of a household", .timeLimit(.minutes(5)))
struct HouseholdStatementsTests {
    private typealias Arrival = HouseholdStatements.Arrival

    private static func name(_ number: UInt8) -> InstanceName {
        guard let name = try? InstanceName("machine \(number)") else { preconditionFailure("it is a name") }
        return name
    }

    private static func paired(_ voucher: UInt8, _ subject: UInt8, number: UInt64 = 1, after: [(UInt8, UInt64)] = [])
        -> HouseholdStatement
    {
        let removals = after.map { HouseholdStatement.Removal(by: Sample.peer($0.0), number: $0.1) }
        return statement(voucher, subject, number, .paired(after: removals))
    }

    private static func removed(_ voucher: UInt8, _ subject: UInt8, number: UInt64 = 1) -> HouseholdStatement {
        statement(voucher, subject, number, .removed)
    }

    private static func statement(
        _ voucher: UInt8,
        _ subject: UInt8,
        _ number: UInt64,
        _ claim: HouseholdStatement.Claim
    )
        -> HouseholdStatement
    {
        let (subject, name) = (Sample.peer(subject), name(subject))
        return HouseholdStatement(about: subject, named: name, number: number, claim, sealedBy: Sample.seal(voucher))
    }

    /// Machine 1, which receives statements.
    private struct Machine {
        var statements = HouseholdStatements(of: Sample.peer(1))
        var standings: HouseholdStatements.Standings

        init(_ standings: [UInt8: MachineStanding]) {
            self.standings = Dictionary(uniqueKeysWithValues: standings.map { (Sample.peer($0), $1) })
        }

        @discardableResult
        mutating func take(_ statement: HouseholdStatement) -> Arrival {
            statements.take(statement, standings, checkedBy: SaveProperties.check)
        }

        var admitted: [PeerID] { statements.admissions(standings).map(\.subject) }
        var asked: [PeerID] { statements.removed(standings).map(\.subject) }
    }

    @Test("the statement of a machine of the household pairs this machine with the one that it vouches for")
    func admission() throws {
        var machine = Machine([2: .mine])
        #expect(machine.take(Self.paired(2, 3)) == .new)
        let admission = try #require(machine.statements.admissions(machine.standings).first)
        #expect(admission.subject == Sample.peer(3) && admission.voucher == Sample.peer(2))
        #expect(admission.name.text == "machine 3")
        machine.standings[Sample.peer(3)] = .mine
        #expect(machine.admitted.isEmpty)
    }

    @Test("statements count only from machines of the household", arguments: MachineStanding.allCases)
    func vouchers(standing: MachineStanding) {
        var machine = Machine([2: standing])
        #expect(machine.take(Self.paired(2, 3)) == (standing == .mine ? .new : .ignored))
        #expect(machine.admitted == (standing == .mine ? [Sample.peer(3)] : []))
    }

    @Test("no statement changes the policy that a machine has here", arguments: MachineStanding.allCases)
    func subjects(standing: MachineStanding) {
        var machine = Machine([2: .mine, 3: standing])
        #expect(machine.take(Self.paired(2, 3)) == (standing == .blocked ? .ignored : .new))
        #expect(machine.admitted == (standing == .stranger ? [Sample.peer(3)] : []))
    }

    @Test("a statement loses to a later block, and to one of its voucher")
    func laterBlock() {
        for blocked in [2, 3] as [UInt8] {
            var machine = Machine([2: .mine])
            machine.take(Self.paired(2, 3))
            machine.standings[Sample.peer(blocked)] = .blocked
            machine.statements.dropWorthless(machine.standings)
            #expect(machine.admitted.isEmpty && machine.statements.outgoing(to: Sample.peer(9)).isEmpty)
            // After the end of the block only new statements count.
            machine.standings[Sample.peer(blocked)] = blocked == 2 ? .mine : .stranger
            #expect(machine.admitted.isEmpty)
        }
    }

    @Test("a statement about this machine, or with a false signature, changes nothing")
    func lies() {
        var machine = Machine([2: .mine])
        #expect(machine.take(Self.paired(2, 1)) == .ignored)
        let seal = VersionSeal(of: Sample.seal(2).key, hashedBy: Sample.hash) { _ in Sample.signature }
        let forged = HouseholdStatement(about: Sample.peer(3), named: Self.name(3), number: 1, .removed, sealedBy: seal)
        #expect(machine.take(forged) == .forged)
        #expect(machine.statements.outgoing(to: Sample.peer(9)).isEmpty)
    }

    @Test("a statement that is replayed after a removal by the same voucher changes nothing")
    func replay() {
        var machine = Machine([2: .mine])
        #expect(machine.take(Self.removed(2, 3, number: 2)) == .new)
        #expect(machine.take(Self.paired(2, 3, number: 1)) == .ignored)
        #expect(machine.take(Self.removed(2, 3, number: 2)) == .ignored)
        #expect(machine.admitted.isEmpty)
    }

    @Test("a statement of another voucher counts after a removal only if that voucher knew of it")
    func knownRemoval() {
        var machine = Machine([2: .mine, 4: .mine])
        machine.take(Self.removed(2, 3, number: 8))
        machine.take(Self.paired(4, 3, number: 50))
        #expect(machine.admitted.isEmpty)
        machine.take(Self.paired(4, 3, number: 51, after: [(2, 7)]))
        #expect(machine.admitted.isEmpty)
        machine.take(Self.paired(4, 3, number: 52, after: [(2, 8)]))
        #expect(machine.admitted == [Sample.peer(3)])
    }

    @Test("a machine that was forgotten here returns only if its voucher knew of that")
    func forgottenHere() {
        var machine = Machine([2: .mine])
        machine.statements.remove(Sample.peer(3), named: Self.name(3), sealedBy: Sample.seal(1))
        machine.take(Self.paired(2, 3, number: 70))
        #expect(machine.admitted.isEmpty)
        machine.take(Self.paired(2, 3, number: 71, after: [(1, 1)]))
        #expect(machine.admitted == [Sample.peer(3)])
    }

    @Test("a machine that another one removed is a question, until the user keeps it or pairs it again")
    func question() throws {
        var machine = Machine([2: .mine, 3: .mine, 4: .mine])
        machine.take(Self.removed(2, 3))
        let removed = try #require(machine.statements.removed(machine.standings).first)
        #expect(removed.subject == Sample.peer(3) && removed.vouchers == [Sample.peer(2)])
        var paired = machine
        paired.take(Self.paired(4, 3, after: [(2, 1)]))
        #expect(paired.asked.isEmpty)
        #expect(machine.statements.keep(Sample.peer(3)) == [.init(Sample.peer(2), about: Sample.peer(3))])
        #expect(machine.asked.isEmpty)
        // A repeated removal is no new question. After a pairing it is.
        machine.take(Self.removed(2, 3, number: 2))
        #expect(machine.asked.isEmpty)
        machine.take(Self.paired(2, 3, number: 3))
        machine.take(Self.removed(2, 3, number: 4))
        #expect(machine.asked == [Sample.peer(3)])
    }

    @Test("the removals of a machine that has left the household itself stay, and its pairings do not")
    func gone() {
        var machine = Machine([2: .mine, 4: .mine])
        machine.take(Self.removed(2, 3))
        machine.take(Self.paired(2, 5, number: 2))
        machine.standings[Sample.peer(2)] = nil
        machine.statements.dropWorthless(machine.standings)
        machine.take(Self.paired(4, 3))
        #expect(machine.admitted.isEmpty)
        #expect(machine.statements.outgoing(to: Sample.peer(9)).map(\.subject) == [Sample.peer(3), Sample.peer(3)])
    }

    @Test("a voucher that floods replaces its own statements, and a household has 64 machines")
    func bounds() {
        var machine = Machine([2: .mine, 4: .mine])
        machine.take(Self.paired(4, 5))
        for number in 0..<1_000 as Range<UInt64> {
            let subject = PeerID(bytes: (0..<4).flatMap { _ in withUnsafeBytes(of: number + 9, Array.init) })
            guard let subject else { return }
            let statement = HouseholdStatement(
                about: subject,
                named: Self.name(0),
                number: number + 1,
                .paired(after: []),
                sealedBy: Sample.seal(2)
            )
            #expect(machine.take(statement) == .new)
        }
        #expect(machine.statements.outgoing(to: Sample.peer(9)).count == HouseholdStatements.mostPerVoucher + 1)
        #expect(machine.admitted.count == HouseholdStatements.mostMachines - 3)
        let old = Self.paired(2, 6, number: 1)
        #expect(machine.take(old) == .ignored)
    }

    @Test("a voucher of large statements replaces its own ones, and those of others stay, also after a restart")
    func largeStatements() throws {
        var machine = Machine([2: .mine, 4: .mine])
        machine.take(Self.paired(4, 5))
        let removals = (100..<164 as Range<UInt8>).map { HouseholdStatement.Removal(by: Sample.peer($0), number: 1) }
        let large = try (1...128 as ClosedRange<UInt64>).map { number in
            let subject = PeerID(bytes: (0..<4).flatMap { _ in withUnsafeBytes(of: number, Array.init) })
            return HouseholdStatement(
                about: try #require(subject),
                named: Self.name(0),
                number: number,
                .paired(after: removals),
                sealedBy: Sample.seal(2)
            )
        }
        for statement in large { #expect(machine.take(statement) == .new) }
        let restarted = HouseholdStatements(of: Sample.peer(1), large + [Self.paired(4, 5)])
        for statements in [machine.statements, restarted] {
            let kept = statements.outgoing(to: Sample.peer(9))
            let ofFlooder = kept.filter { $0.voucher == Sample.peer(2) }
            let byteCount = ofFlooder.reduce(0) { $0 + $1.encoded.count }
            #expect((60 << 10...HouseholdStatements.byteLimitPerVoucher).contains(byteCount))
            #expect(ofFlooder.contains(try #require(large.last)) && kept.contains(Self.paired(4, 5)))
        }
    }

    @Test("the statements go to another machine so that each voucher comes after the statement that makes it a member")
    func order() {
        var machine = Machine([5: .mine, 4: .mine, 3: .mine])
        machine.statements.vouch(for: Sample.peer(5), named: Self.name(5), sealedBy: Sample.seal(1))
        machine.take(Self.paired(5, 4))
        machine.take(Self.paired(4, 3))
        machine.take(Self.paired(3, 9))
        let sent = machine.statements.outgoing(to: Sample.peer(9))
        #expect(sent.map(\.voucher) == [1, 5, 4].map(Sample.peer), "none is about the machine itself")
        var other = Machine([:])
        other.statements = HouseholdStatements(of: Sample.peer(9))
        other.standings = [Sample.peer(1): .mine]
        for statement in sent {
            #expect(other.take(statement) == .new)
            for admission in other.statements.admissions(other.standings) { other.standings[admission.subject] = .mine }
        }
        #expect(other.standings.count == 4)
    }

    @Test("the statements of this machine count on after it lost its ledger and receives them from others")
    func lostLedger() {
        var machine = Machine([2: .mine, 3: .mine])
        #expect(machine.take(Self.paired(1, 3, number: 40)) == .new)
        machine.statements.remove(Sample.peer(3), named: Self.name(3), sealedBy: Sample.seal(1))
        #expect(machine.statements.statement(of: Sample.peer(1), about: Sample.peer(3))?.number == 41)
    }

    @Test("The ledger gets the new statements and those that are gone")
    func changes() {
        var machine = Machine([2: .mine])
        machine.take(Self.paired(2, 3))
        machine.take(Self.paired(2, 4, number: 2))
        #expect(machine.statements.takeChanges().stored.count == 2)
        machine.standings[Sample.peer(2)] = .blocked
        machine.statements.dropWorthless(machine.standings)
        let changes = machine.statements.takeChanges()
        #expect(changes.stored.isEmpty && changes.dropped.count == 2)
        #expect(machine.statements.takeChanges() == HouseholdStatements.Changes())
    }
}
