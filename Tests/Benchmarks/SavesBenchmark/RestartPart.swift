import LabKit
import LinuxPlatform
import Yardstick

/// The restart of a daemon with 100,000 unchanged files.
struct RestartPart {
    private static let (files, rounds) = (100_000, 3)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        let (path, host) = ("\(pair.near.folder)/hoard", pair.near)
        try Place.make(path)
        try Place.fill(path, files: Self.files, count: 100, seed: 99)
        var start = ContinuousClock.now
        try await host.huddle(["share", "--only-here", path, "--name", "hoard"])
        say("100,000 small files added: \(text(seconds(.now - start))) s")
        var (ready, read, looked) = ([Double](), [Double](), [Double]())
        for _ in 0..<Self.rounds {
            try await host.stop()
            start = .now
            ready.append(try await host.start())
            // The response comes after the whole scan.
            try await host.huddle(["scan", "hoard"])
            read.append(seconds(.now - start))
            start = .now
            let found = try await host.host.run(["find", path, "-type", "f", "-size", "+1G"], deadline: .seconds(60))
            guard found.status.isSuccess else { throw Unexpected("find: \(found.standardError.text)") }
            looked.append(seconds(.now - start))
        }
        let (median, other) = (Figures(read).median, Figures(looked).median)
        say(
            "restart with 100,000 known files: ready after \(text(Figures(ready).median)) s, "
                + "all looked at after \(text(median)) s (goal 2); "
                + "`find`, which asks the kernel about each, \(text(other)) s, ratio \(text(median / other))"
        )
    }
}
