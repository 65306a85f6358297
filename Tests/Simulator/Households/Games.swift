import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Synchronization
import Vocabulary

/// The games of a household.
@Engine
final class Games {
    private unowned let world: World
    private var dice: Dice
    /// The number of saves that all games have made.
    private var saveCount = 0
    /// The games that run, by machine and game.
    private var running: Set<[Int]> = []

    init(_ world: World, _ seed: UInt64) { (self.world, dice) = (world, Dice(seed ^ 0x5A5A)) }

    func perform(_ action: Plan.Action) async throws {
        let machines = world.machines
        switch action {
        case .save(let machine, let game, let files): await save(slowly: machines[machine], game, files)
        case .saveTorn(let machine, let game, let files, let pause):
            await saveTorn(machines[machine], game, files, pause: pause)
        case .play(let machine, let game, let saves, let pause):
            try await play(machines[machine], game, saves: saves, pause: pause)
        case .contest(let one, let other, let game, let apart, let pause):
            Task(executorPreference: EventLoop.shared.taskExecutor) {
                try? await self.play(machines[one], game, saves: 1, pause: pause)
            }
            try await Engine.loop.sleep(for: apart)
            try await play(machines[other], game, saves: 1, pause: pause)
        case .hold(let machine, let game, let duration): await hold(machines[machine], game, for: duration)
        case .wipe(let machine, let game):
            guard !running.contains([machine, game]) else { return }
            machines[machine].folder(of: game).write { $0.files = [:] }
        case .vanish(let machine, let game, let duration): await vanish(machines[machine], game, for: duration)
        default: break
        }
    }

    /// Removes the disk of a folder for a while. No game uses the folder meanwhile.
    private func vanish(_ machine: SimulatedMachine, _ game: Int, for duration: Duration) async {
        guard begin(machine, game) else { return }
        defer { running.remove([machine.number, game]) }
        let folder = machine.folder(of: game)
        folder.write { $0.isAway = true }
        try? await Engine.loop.sleep(for: duration)
        folder.write { $0.isAway = false }
    }

    func saveFirst(_ machine: SimulatedMachine, _ game: Int) {
        save(machine.folder(of: game), machine, game, files: 2, "first")
    }

    /// The contents of all files of one save. They are the same, so that a folder with parts of two saves is found.
    private func contents(_ machine: SimulatedMachine, _ game: Int, _ occasion: String) -> [UInt8] {
        saveCount += 1
        return Array("save \(saveCount) of game \(game) by \(machine.name), \(occasion)".utf8)
    }

    private func save(
        _ folder: SimulatedFolder,
        _ machine: SimulatedMachine,
        _ game: Int,
        files: Int,
        _ occasion: String
    ) {
        let bytes = contents(machine, game, occasion)
        folder.write { state in
            state.files = Dictionary(uniqueKeysWithValues: (0..<files).map { ("slot\($0)", bytes) })
        }
    }

    /// True if a game uses the folder.
    func areRunning(_ machine: SimulatedMachine, _ game: Int) -> Bool { running.contains([machine.number, game]) }

    private func begin(_ machine: SimulatedMachine, _ game: Int) -> Bool {
        running.insert([machine.number, game]).inserted
    }

    /// Saves several files, with a moment between each two. The game has one open until all are written.
    private func save(slowly machine: SimulatedMachine, _ game: Int, _ files: Int) async {
        guard begin(machine, game) else { return }
        defer { running.remove([machine.number, game]) }
        let (folder, bytes) = (machine.folder(of: game), contents(machine, game, "slow"))
        // A game does not mix its files with others: it first removes those that it will not write.
        folder.write { state in
            state.writer = "game"
            state.files = state.files.filter { Int($0.key.dropFirst(4)) ?? files < files }
        }
        for number in 0..<files {
            folder.write { $0.files["slot\(number)"] = bytes }
            try? await Engine.loop.sleep(for: .milliseconds(dice.number(in: 1...2_000)))
        }
        folder.write { $0.writer = nil }
    }

    /// Leaves half a save in the folder for a while. No file is open, so the daemon can't notice the writer.
    private func saveTorn(_ machine: SimulatedMachine, _ game: Int, _ files: Int, pause: Duration) async {
        guard begin(machine, game) else { return }
        defer { running.remove([machine.number, game]) }
        let (folder, bytes) = (machine.folder(of: game), contents(machine, game, "torn"))
        for number in 0..<files {
            // This also removes files that the daemon put there meanwhile.
            folder.write { $0.files = Dictionary(uniqueKeysWithValues: (0...number).map { ("slot\($0)", bytes) }) }
            try? await Engine.loop.sleep(for: pause)
        }
    }

    /// Takes the steps of `huddle play`.
    private func play(_ machine: SimulatedMachine, _ game: Int, saves: Int, pause: Duration) async throws {
        guard let keeper = machine.daemon?.keeper, let set = world.sets[game], begin(machine, game) else { return }
        defer { running.remove([machine.number, game]) }
        let (powerCuts, folder) = (machine.powerCuts, machine.folder(of: game))
        _ = try? await keeper.connections.gather(set, within: .seconds(3))
        var number = try await keeper.play(of: set).begin()
        var known: SaveSyncEngine? = keeper
        let start = ContinuousClock.Instant.current
        guard machine.daemon?.keeper === keeper else { return }
        folder.state.withLock { $0.isPlayed = true }
        world.trace.add(machine.name, "plays game\(game)")
        for save in 0...saves {
            try await Engine.loop.sleep(for: pause)
            // A power cut also ends the game.
            guard machine.powerCuts == powerCuts else { return }
            // If the daemon was restarted meanwhile, the game goes on.
            if let keeper = machine.daemon?.keeper, keeper !== known {
                number = try keeper.play(of: set).resume(for: .current - start).game
                known = keeper
                folder.state.withLock { $0.isPlayed = true }
            }
            if save < saves { self.save(folder, machine, game, files: 1 + Int(dice.next() % 3), "playing") }
        }
        folder.state.withLock { $0.isPlayed = false }
        guard let keeper = machine.daemon?.keeper, keeper === known else { return }
        try await keeper.play(of: set).end(game: number)
    }

    private func hold(_ machine: SimulatedMachine, _ game: Int, for duration: Duration) async {
        guard begin(machine, game) else { return }
        defer { running.remove([machine.number, game]) }
        let folder = machine.folder(of: game)
        folder.write { $0.writer = "game" }
        try? await Engine.loop.sleep(for: duration)
        save(folder, machine, game, files: 2, "held")
        folder.write { $0.writer = nil }
    }
}
