import LinuxPlatform
import SaveRules
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("A machine that was cut off while it played, among three machines", .timeLimit(.minutes(5)))
@Engine
struct CutOffTests {
    /// A player, a machine that saw it being cut off, and a machine that was off meanwhile.
    private struct Three {
        /// The data folder of the player, which is off now.
        let away = TemporaryFolder.inMemory()
        /// The data folder of the machine that was off.
        let late = TemporaryFolder.inMemory()
        let player: PeerID
        let witness: SaveMachine
        let set: SaveSetID

        @Engine
        init() async throws {
            let one = try await Self.start("one", in: away)
            let witness = try await Self.start("other", in: .inMemory())
            let set = try await one.add(["slot": "chapter 1"])
            try await SaveMachine.live("third", in: late) { third in
                for (machine, friend) in [(one, witness), (one, third), (witness, third)] {
                    try await machine.befriend(friend)
                }
                try await one.share(set, with: witness)
                try await one.share(set, with: third)
                for (machine, friend) in [(witness, third), (third, witness), (third, one)] {
                    while try !machine.engine.report(of: set).present.contains(friend.id) { try await othersTurn() }
                }
            }
            try await one.engine.play(of: set).begin()
            try await witness.next(in: set) { if case .lease(.taken) = $0 { true } else { nil } }
            await one.stop()
            try await witness.next(in: set) { if case .lease(.ranOut(one.id)) = $0 { true } else { nil } }
            #expect(try witness.engine.report(of: set).play.cutOff == one.id)
            (player, self.witness, self.set) = (one.id, witness, set)
        }

        @Engine
        static func start(_ name: String, in folder: TemporaryFolder) async throws -> SaveMachine {
            try await SaveMachine.open(name, in: folder) {
                $0.leases = LeasePatience(renewal: .milliseconds(200), expiry: .seconds(1), comeback: .milliseconds(50))
            }
        }

        /// Runs the machine that was off, from the time at which it has the newest version of the witness.
        @Engine
        func live(_ body: (SaveMachine) async throws -> Void) async throws {
            let third = try await Self.start("third", in: late)
            try await third.befriend(witness)
            third.engine.connections.sees(witness.id)
            while try third.engine.report(of: set).present.isEmpty { try await othersTurn() }
            #expect(try await third.engine.play(of: set).newest(within: .seconds(60)) == .ready)
            try await body(third)
            await third.stop()
        }
    }

    @Test("a machine that was off meanwhile hears of the player from the machine that saw it")
    func heard() async throws {
        let three = try await Three()
        try await three.live { third in
            #expect(try third.engine.report(of: three.set).play.cutOff == three.player)
            await three.witness.stop()
            while try !third.engine.report(of: three.set).present.isEmpty { try await othersTurn() }
            #expect(try third.engine.report(of: three.set).play.cutOff == three.player, "no machine has said otherwise")
        }
    }

    @Test("a player that came back to one machine is waited for on none of those that hear of it")
    func returned() async throws {
        let three = try await Three()
        try await three.live { third in
            #expect(try third.engine.report(of: three.set).play.cutOff == three.player)
            let player = try await Three.start("one", in: three.away)
            try await player.befriend(three.witness)
            player.engine.connections.sees(three.witness.id)
            for machine in [three.witness, third] {
                while try machine.engine.report(of: three.set).play.cutOff != nil { try await othersTurn() }
            }
            await player.stop()
        }
        try await three.live { third in
            let reports = try [third, three.witness].map { try $0.engine.report(of: three.set) }
            #expect(reports.allSatisfy { $0.play.cutOff == nil })
            await three.witness.stop()
        }
    }
}
