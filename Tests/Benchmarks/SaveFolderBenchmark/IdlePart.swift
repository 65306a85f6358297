import LinuxPlatform
import SaveFolder
import TestSupport
import Yardstick

/// The costs of watching a game's folder of many files without changes.
enum IdlePart {
    static func run(files: Int, for time: Duration) async throws {
        let own = try OwnSet()
        try own.makeFiles(files)
        let folder = try own.folder()
        _ = try own.capture(folder)
        let loop = EventLoop(named: "saves")
        let watch = try SaveWatch(on: loop)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        let isSettled = Probe(false)
        await watch.add(folder) { if case .settled = $0 { isSettled.open() } }
        try await isSettled.pass()
        await watch.finishedReading(folder.set, .whole)
        guard let before = ProcessFigures() else { return }
        try await EventLoop.shared.sleep(for: time)
        guard let after = ProcessFigures() else { return }
        print("  \(files) files watched, nothing happens for \(time)")
        print(
            "    processor \(text(seconds(after.processorTime - before.processorTime) * 1_000)) ms, "
                + "\(after.wakeUps - before.wakeUps) wake-ups, \(after.residentKiB) KiB resident"
        )
        running.cancel()
        _ = await running.result
    }
}
