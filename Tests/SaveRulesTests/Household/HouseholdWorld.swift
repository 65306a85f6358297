import SaveProperties
import SaveRules
import TestSupport
import Testing
import Vocabulary

/// Machines whose users pair, block, forget and remove machines, and that connect in any order.
///
/// Beside the statements it has a model: each removal by a user is an event, and connected machines learn each other's
/// events. A machine may return only by a pairing that was made with knowledge of all removals.
struct HouseholdWorld {
    struct Machine {
        var statements: HouseholdStatements
        var standings: HouseholdStatements.Standings = [:]
        var vouchedFor: Set<PeerID> = []
        /// Machines that were forgotten and never belonged to the household.
        var marks: Set<PeerID> = []
        /// The removals that this machine knows.
        var events: Set<Int> = []
    }

    private(set) var machines: [Machine]
    /// The removal by a user of one machine of another one, as an event, until that user pairs it again.
    private var removals: [HouseholdStatements.Pair: Int] = [:]
    /// The events that a machine knew when its user paired another one.
    private var pairings: [HouseholdStatements.Pair: Set<Int>] = [:]
    private var lastEvent = 0
    private var generator: SeededGenerator
    private(set) var faults: [String] = []

    init(seed: UInt64, machines count: UInt8) {
        generator = SeededGenerator(seed: seed)
        machines = (0..<count).map { Machine(statements: HouseholdStatements(of: Sample.peer($0 + 1))) }
    }

    func id(_ index: Int) -> PeerID { machines[index].statements.own }
    private func index(_ id: PeerID) -> Int? { machines.firstIndex { $0.statements.own == id } }
    private func seal(_ index: Int) -> VersionSeal { Sample.seal(of: id(index)) }

    private static let name: InstanceName = {
        guard let name = try? InstanceName("machine") else { preconditionFailure("it is a name") }
        return name
    }()

    func areMutual(_ one: Int, _ two: Int) -> Bool {
        machines[one].standings[id(two)] == .mine && machines[two].standings[id(one)] == .mine
    }

    // MARK: Users

    /// - Parameter isHarmless: whether users only pair machines
    mutating func step(isHarmless: Bool) {
        let one = Int.random(in: machines.indices, using: &generator)
        let two = Int.random(in: machines.indices, using: &generator)
        guard one != two else { return }
        switch Int.random(in: 0..<(isHarmless ? 8 : 16), using: &generator) {
        case 0, 1: pair(one, two)
        case 2...7: meet(one, two)
        case 8: set(one, two, .blocked)
        case 9: forget(one, two)
        case 10: if machines[one].standings[id(two)] == .mine { set(one, two, .guest) }
        case 11: if machines[one].standings[id(two)] == .blocked { set(one, two, .stranger) }
        case 12, 13: decide(one)
        default: meet(one, two)
        }
    }

    mutating func pair(_ one: Int, _ two: Int) {
        // A blocked machine gets no answer.
        guard machines[one].standings[id(two)] != .blocked, machines[two].standings[id(one)] != .blocked else { return }
        for (here, there) in [(one, two), (two, one)] {
            machines[here].vouchedFor.remove(id(there))
            machines[here].marks.remove(id(there))
            removals[.init(id(here), about: id(there))] = nil
            pairings[.init(id(here), about: id(there))] = machines[here].events
            set(here, there, .mine)
            machines[here].statements.vouch(for: id(there), named: Self.name, sealedBy: seal(here))
        }
    }

    private mutating func forget(_ one: Int, _ two: Int) {
        guard let before = machines[one].standings[id(two)] else { return }
        remember(one, removed: two)
        if before != .mine { machines[one].marks.insert(id(two)) }
        set(one, two, .stranger)
    }

    private mutating func decide(_ one: Int) {
        guard let asked = machines[one].statements.removed(machines[one].standings).first else { return }
        if Bool.random(using: &generator) {
            _ = machines[one].statements.keep(asked.subject)
        } else if let two = index(asked.subject) {
            forget(one, two)
        }
    }

    private mutating func remember(_ one: Int, removed two: Int) {
        lastEvent += 1
        removals[.init(id(one), about: id(two))] = lastEvent
        machines[one].events.insert(lastEvent)
    }

    private mutating func set(_ one: Int, _ two: Int, _ wanted: MachineStanding) {
        let subject = id(two)
        let standing = wanted == .stranger && machines[one].marks.contains(subject) ? .forgotten : wanted
        let before = machines[one].standings[subject] ?? .stranger
        if before == .mine, standing == .blocked || standing == .guest { remember(one, removed: two) }
        machines[one].standings[subject] = standing == .stranger ? nil : standing
        let said = machines[one].statements.statement(of: id(one), about: subject)?.isPairing
        let isVouchedFor = machines[one].vouchedFor.contains(subject)
        switch HouseholdStep(from: before, to: standing, hasSaid: said, isVouchedFor: isVouchedFor) {
        case .vouch: machines[one].statements.vouch(for: subject, named: Self.name, sealedBy: seal(one))
        case .remove: machines[one].statements.remove(subject, named: Self.name, sealedBy: seal(one))
        case .nothing: break
        }
        machines[one].statements.dropWorthless(machines[one].standings)
    }

    // MARK: Connections

    mutating func meet(_ one: Int, _ two: Int) {
        guard areMutual(one, two) else { return }
        let events = machines[one].events.union(machines[two].events)
        let sent = [(one, two), (two, one)].map { machines[$0.0].statements.outgoing(to: id($0.1)) }
        for (machine, statements) in [(two, sent[0]), (one, sent[1])] {
            machines[machine].events = events
            for message in HouseholdMessage.messages(for: statements) {
                guard let read = try? HouseholdMessage(decoding: message.encoded, hashedBy: Sample.hash) else {
                    faults.append("a message can't be read")
                    continue
                }
                for statement in read.statements { take(statement, at: machine) }
            }
        }
    }

    private mutating func take(_ statement: HouseholdStatement, at machine: Int) {
        let standings = machines[machine].standings
        if machines[machine].statements.take(statement, standings, checkedBy: SaveProperties.check) == .forged {
            faults.append("an honest statement counts as forged")
        }
        for admission in machines[machine].statements.admissions(standings) { admit(admission, at: machine) }
    }

    private mutating func admit(_ admission: HouseholdStatements.Admission, at machine: Int) {
        let pair = HouseholdStatements.Pair(id(machine), about: admission.subject)
        if let known = machines[machine].standings[admission.subject] { faults.append("\(known) became mine") }
        if machines[machine].standings[admission.voucher] != .mine { faults.append("a stranger vouched") }
        let knowledge = pairings[.init(admission.voucher, about: admission.subject)]
        if knowledge == nil { faults.append("a machine came in that the voucher's user never paired") }
        if let removal = removals[pair], knowledge?.contains(removal) != true {
            faults.append("a machine came back by a pairing from before its removal")
        }
        removals[pair] = nil
        machines[machine].standings[admission.subject] = .mine
        machines[machine].vouchedFor.insert(admission.subject)
    }

    /// Connects all machines until nothing changes. Returns false if that has no end.
    mutating func settle() -> Bool {
        for _ in 0..<40 {
            let before = machines.map { ($0.standings, $0.statements.revision) }
            for one in machines.indices.shuffled(using: &generator) {
                for two in machines.indices.shuffled(using: &generator) where one < two { meet(one, two) }
            }
            if zip(before, machines).allSatisfy({ $0.0 == $1.standings && $0.1 == $1.statements.revision }) {
                return true
            }
        }
        return false
    }
}
