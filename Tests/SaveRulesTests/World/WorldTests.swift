import SaveRules
import Testing

@Suite("Machines that meet and part", .timeLimit(.minutes(10)))
struct WorldTests {
    /// The number of histories in a test case. Cases can run at the same time.
    private static let batch: UInt64 = 150

    @Test(
        "all machines agree once each has met the others, as in the model, and lose nothing",
        arguments: 0..<20 as Range<UInt64>
    )
    func histories(batch: UInt64) {
        for seed in batch * Self.batch..<(batch + 1) * Self.batch { live(seed, .usual) }
    }

    @Test(
        "all machines agree as well if disks are restored and numbers are used twice",
        arguments: 100..<104 as Range<UInt64>
    )
    func disasters(batch: UInt64) {
        for seed in batch * Self.batch..<(batch + 1) * Self.batch { live(seed, [.usual, .disasters]) }
    }

    private func live(_ seed: UInt64, _ weather: World.Weather) {
        var world = World(seed: seed, weather: weather)
        for _ in 0..<100 {
            world.step()
            // A version that only a restored disk had is lost, whatever its machine has said of it.
            guard weather.contains(.disasters) || saysWhatIsTrue(world) else {
                Issue.record("seed \(seed): a machine shows “in sync”, and another does not hold its newest version")
                return
            }
        }
        guard settles(&world, seed, weather) else { return }
        // One user ends the conflict that the rules could not merge.
        if let side = world.machines[0].heads.heads.dropFirst().first {
            world.choose(0, .snapshot(side))
            guard settles(&world, seed, weather) else { return }
        }
        #expect(world.machines.allSatisfy { $0.heads.heads.count <= 1 }, "seed \(seed)")
        #expect(Set(world.machines.map(\.folder)).count == 1, "seed \(seed)")
    }

    private func settles(_ world: inout World, _ seed: UInt64, _ weather: World.Weather) -> Bool {
        let isQuiet = world.settle()
        #expect(isQuiet, "seed \(seed) never comes to rest")
        let kept = world.machines.reduce(into: Set<SnapshotID>()) { $0.formUnion($1.heads.held) }
        let made = Set(world.model.made.keys)
        // A version that only a restored disk had is lost, which is no fault of the rules.
        let expected = world.model.heads(among: weather.contains(.disasters) ? kept : made)
        var isRight = isQuiet
        for machine in world.machines {
            isRight = isRight && machine.heads.heads == expected && machine.refusals.isEmpty
            #expect(machine.refusals == [], "seed \(seed)")
            #expect(machine.heads.heads == expected, "seed \(seed): heads")
            #expect(expected.count != 1 || machine.heads.state == .level, "seed \(seed): one head is shown by all")
            let mayBeInSync = expected.count == 1 && !weather.contains(.disasters)
            #expect(!mayBeInSync || machine.facts.status == .inSync, "seed \(seed): \(machine.facts)")
            #expect(holdsWhatItSays(machine, world.library), "seed \(seed): a snapshot that is held is not whole")
        }
        let lost = made.subtracting(kept).subtracting(world.dropped)
        #expect(weather.contains(.disasters) || lost.isEmpty, "seed \(seed): lost")
        return isRight
    }

    /// True if each machine that shows “in sync” is right: all machines that it knows have its newest version.
    private func saysWhatIsTrue(_ world: World) -> Bool {
        world.machines.allSatisfy { machine in
            guard machine.facts.status == .inSync else { return true }
            return machine.facts.sharers.allSatisfy { sharer in
                guard let other = world.machines.first(where: { $0.id == sharer.peer })?.heads else { return false }
                return other.graph.covers(other.heads, machine.heads.heads)
            }
        }
    }

    private func holdsWhatItSays(_ machine: WorldMachine, _ library: WorldLibrary) -> Bool {
        machine.heads.held.allSatisfy { id in
            guard let manifest = machine.heads.graph[id]?.manifest else { return false }
            return (manifest + library.contents(of: manifest)).allSatisfy { machine.pieces.contains($0.id) }
        }
    }
}
