import SaveRules
import Testing
import Vocabulary

@Suite("Machines that vouch for each other", .timeLimit(.minutes(10)))
struct HouseholdWorldTests {
    @Test("all machines know each other once each was paired with any one of them", arguments: 0..<10 as Range<UInt64>)
    func connected(batch: UInt64) {
        for seed in batch * 40..<(batch + 1) * 40 {
            var world = HouseholdWorld(seed: seed, machines: UInt8(2 + seed % 7))
            for _ in 0..<30 { world.step(isHarmless: true) }
            // Pairs each machine with its neighbour, in case the random steps left machines unconnected.
            for machine in world.machines.indices.dropLast() { world.pair(machine, machine + 1) }
            let isQuiet = world.settle()
            #expect(isQuiet && world.faults.isEmpty, "seed \(seed): \(world.faults)")
            for one in world.machines.indices {
                for two in world.machines.indices where one < two {
                    #expect(world.areMutual(one, two), "seed \(seed): \(one) and \(two)")
                }
            }
        }
    }

    @Test(
        "blocks stay, and no statement from before a removal lets the machine return",
        arguments: 0..<10 as Range<UInt64>
    )
    func hostile(batch: UInt64) {
        for seed in batch * 100..<(batch + 1) * 100 {
            var world = HouseholdWorld(seed: seed, machines: UInt8(3 + seed % 5))
            for _ in 0..<150 { world.step(isHarmless: false) }
            let blocked = blocks(world)
            let isQuiet = world.settle()
            #expect(isQuiet && world.faults.isEmpty, "seed \(seed): \(world.faults)")
            #expect(blocks(world) == blocked, "seed \(seed)")
            expectAgreement(world, seed)
        }
    }

    private func blocks(_ world: HouseholdWorld) -> [Set<PeerID>] {
        world.machines.map { machine in Set(machine.standings.filter { $0.value == .blocked }.keys) }
    }

    /// Expects that two machines of one household have the same statements, except those that only one of them may
    /// believe.
    private func expectAgreement(_ world: HouseholdWorld, _ seed: UInt64) {
        for one in world.machines.indices {
            for two in world.machines.indices where one < two && world.areMutual(one, two) {
                let (here, there) = (world.machines[one], world.machines[two])
                let ids = world.machines.map(\.statements.own)
                let own = [here.statements.own, there.statements.own]
                for voucher in ids {
                    let isBelieved = [here, there].allSatisfy {
                        $0.standings[voucher] == .mine || $0.statements.own == voucher
                    }
                    for subject in ids where isBelieved && !own.contains(subject) {
                        let isBlocked = [here, there].contains { $0.standings[subject] == .blocked }
                        let said = [here, there].map { $0.statements.statement(of: voucher, about: subject) }
                        #expect(isBlocked || said[0] == said[1], "seed \(seed): \(own) of \(voucher) about \(subject)")
                    }
                }
            }
        }
    }
}
