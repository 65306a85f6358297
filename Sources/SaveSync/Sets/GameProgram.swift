import Ledger
import LinuxPlatform
import SaveRules
import Session

/// The program that counts as playing a game while it runs, with or without `huddle play`. Nothing is polled: once the program is
/// found, the kernel reports its end.
@Engine
final class GameProgram {
    private(set) var running: [RunningProgram] = []
    private let looking = Turn()
    private var isLookQueued = false

    /// Looks whether it runs.
    func look(for set: KeptSet) async {
        guard set.entry.program != nil else { return }
        await looking.alone {
            guard let name = set.entry.program, running.isEmpty, set.machine.isAlive else { return }
            // If the system has no thread left to look with, no program is known to run.
            let found = try? await runBlocking("programs") { RunningProgram.all(named: name) }
            guard let found, !found.isEmpty, set.machine.isAlive, set.entry.program == name else { return }
            running = found
            let since = ContinuousClock.Instant.current - (found.map(\.ran).max() ?? .zero)
            set.handle(.play(.programFound(since: since)))
            set.keeper.crew.add { await self.awaitEnd(of: found, for: set) }
        }
    }

    /// A file of the game was opened, which is how a game begins.
    func fileOpened(of set: KeptSet) {
        guard set.entry.program != nil, running.isEmpty, !isLookQueued else { return }
        isLookQueued = true
        set.keeper.crew.add {
            self.isLookQueued = false
            await self.look(for: set)
        }
    }

    /// The user named another program, or none.
    func forget() { running = [] }

    private func awaitEnd(of programs: [RunningProgram], for set: KeptSet) async {
        for program in programs {
            guard (try? await program.untilEnded(on: Engine.loop)) != nil else { return }
        }
        // The user may have named another program meanwhile.
        guard set.machine.isAlive, running.first === programs.first else { return }
        running = []
        set.handle(.play(.programGone))
        // Another of that name may run: a launcher starts the game and ends.
        await look(for: set)
        guard running.isEmpty, set.machine.isAlive else { return }
        // What it saved last is read before other machines may play. If that fails, the watch soon has it read.
        try? await set.keeper.readLast(of: set.id)
        guard running.isEmpty, set.machine.isAlive else { return }
        set.handle(.play(.programEnded))
    }
}
