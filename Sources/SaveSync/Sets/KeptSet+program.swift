import Session
import Ledger
import LinuxPlatform
import SaveRules

/// The program that counts as playing the set while it runs, with or without `huddle play`.
extension KeptSet {
    /// Looks whether it runs. Nobody looks while nothing happens: it is done before the folder is read or changed, when another says that
    /// it plays, and when a file of the set is opened. Once it is found, the kernel tells of its end.
    func lookForProgram() async {
        guard entry.program != nil else { return }
        await looking.alone {
            guard let name = entry.program, running.isEmpty, isAlive else { return }
            // Where it can't be looked, as where there can be no more threads, nothing is known to run.
            let found = try? await runBlocking("programs") { RunningProgram.all(named: name) }
            guard let found, !found.isEmpty, isAlive, entry.program == name else { return }
            running = found
            playedSince = .current - (found.map(\.ran).max() ?? .zero)
            perform(lease.take(at: .current, since: playedSince))
            keeper.crew.add { await self.awaitEnd(of: found) }
        }
    }

    /// A file of the set was opened: that is how a game begins.
    func hearsOpening() {
        guard entry.program != nil, running.isEmpty, !isLookWanted else { return }
        isLookWanted = true
        keeper.crew.add {
            self.isLookWanted = false
            await self.lookForProgram()
        }
    }

    private func awaitEnd(of programs: [RunningProgram]) async {
        for program in programs {
            guard (try? await program.untilEnded(on: Engine.loop)) != nil else { return }
        }
        // The set may have another program by now.
        guard isAlive, running.first === programs.first else { return }
        running = []
        // Another of that name may have begun meanwhile: a launcher starts the game and goes.
        await lookForProgram()
        guard running.isEmpty, isAlive else { return }
        // What it saved last is read before others may play. Where that does not work yet, the watch has it read soon.
        try? await keeper.readLast(of: id)
        guard running.isEmpty, isAlive else { return }
        endProgram()
    }

    /// It runs no more, or does not count any more.
    func endProgram() {
        running = []
        perform(isGameRunning || isWaitedFor ? [] : lease.release())
    }

    /// Whether somebody waits for the lease to begin a game.
    var isWaitedFor: Bool { keeper.takers[id] != nil }

    /// Whether a game runs on this machine, whoever has the lease.
    var isGameRunning: Bool { !games.isEmpty || !running.isEmpty || writing?.counts == true }

    /// Whether what arrives may be applied: not while a game runs on this machine, or may run still.
    ///
    /// Who waits to begin one waits for what comes, too.
    var mayApply: Bool { (lease.mayApply || isWaitedFor) && !isGameRunning && comebackTimer == nil }

    /// Whether what is newest is here and waits for nothing but the end of a game, or of whoever else uses the folder.
    var waitsForGame: Bool {
        guard heads.state == .behind, !awaitsNewer, let pending = heads.pending, quarantine[pending] == nil else {
            return false
        }
        return !mayApply || writing != nil || writersSoughtFor == pending
    }
}
