import Ledger
import LinuxPlatform
import SaveRules
import Session

/// The program that counts as playing a game while it runs, with or without `huddle play`. The daemon does not poll:
/// once it has found the program, the kernel reports the end.
@Engine
final class GameProgram {
    private let set: SaveSet
    private(set) var running: [RunningProgram] = []
    private let looking = AsyncMutex()
    private var isLookQueued = false

    /// Reads what the program has saved at its end.
    var readLast: @Engine () async throws -> Void = {}

    init(_ set: SaveSet) { self.set = set }

    /// Finds out if the program runs. The daemon calls this before it reads or changes the folder, when another machine
    /// plays, and when a file of the game is opened.
    func look() async {
        guard set.entry.program != nil else { return }
        await looking.alone {
            guard let name = set.entry.program, running.isEmpty, set.machine.isAlive else { return }
            // If the system has no thread left for this, no program is known to run.
            let found = try? await runBlocking("programs") { RunningProgram.all(named: name) }
            guard let found, !found.isEmpty, set.machine.isAlive, set.entry.program == name else { return }
            running = found
            let since = ContinuousClock.Instant.current - (found.map(\.ran).max() ?? .zero)
            set.handle(.play(.programFound(since: since)))
            set.services.tasks.add { await self.awaitEnd(of: found) }
        }
    }

    /// Looks for the program after a file of the game was opened. That is how a game begins.
    func fileOpened() {
        guard set.entry.program != nil, running.isEmpty, !isLookQueued else { return }
        isLookQueued = true
        set.services.tasks.add {
            self.isLookQueued = false
            await self.look()
        }
    }

    /// Forgets the program, because the user named another one or none.
    func forget() { running = [] }

    private func awaitEnd(of programs: [RunningProgram]) async {
        for program in programs {
            guard (try? await program.untilEnded(on: Engine.loop)) != nil else { return }
        }
        // The user may have named another program meanwhile.
        guard set.machine.isAlive, running.first === programs.first else { return }
        running = []
        set.handle(.play(.programGone))
        // Another one of that name may run: a launcher starts the game and ends.
        await look()
        guard running.isEmpty, set.machine.isAlive else { return }
        // The last save is scanned before other machines may play. If that fails, the watch soon has it scanned.
        try? await readLast()
        guard running.isEmpty, set.machine.isAlive else { return }
        set.handle(.play(.programEnded))
    }
}
