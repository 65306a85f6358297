import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// 10,000 files of 4 KiB appear, beside `rsync` over `ssh`; then both hosts rest.
struct ManyPart {
    private static let (files, rounds) = (10_000, 3)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        try Place.make("\(pair.near.folder)/many")
        try Place.write("\(pair.near.folder)/many/first", seed: 1, count: 4_096, anew: true)
        let set = try await pair.share("many")
        let rival = try await RsyncRival(from: pair.lab[1], to: pair.lab[2], in: Place.disk)
        var (ours, theirs, ratios, phases) = ([Double](), [Double](), [Double](), Phases())
        for round in 1...Self.rounds {
            let source = "\(Place.disk)/source"
            try Place.make(source)
            try Place.fill(source, files: Self.files, count: 4_096, seed: UInt64(round) << 32)
            let before = await pair.far.counts.applied
            // All at once, so that it is the exchange that is measured.
            let start = ContinuousClock.now
            guard rename(source, "\(set.here)/round-\(round)") == 0 else { throw SystemError("rename", on: source) }
            try await pair.far.untilApplied(beyond: before)
            ours.append(seconds(.now - start) - DaemonHost.settle)
            await phases.note(pair, since: start)
            try check("\(set.here)/round-\(round)", "\(set.there)/round-\(round)")
            if let rival {
                theirs.append(try await rival.copy("\(set.here)/round-\(round)", to: "\(Place.disk)/rsync"))
                if let one = theirs.last, let other = ours.last { ratios.append(one / other) }
                try Place.remove("\(Place.disk)/rsync")
            }
            if round < Self.rounds { try await clear(set, round) }
        }
        say(
            "10,000 files of 4 KiB appear → whole on the other host, beyond settling, "
                + "median of \(Self.rounds): \(text(Figures(ours).median)) s (\(phases.text))"
        )
        if theirs.isEmpty {
            say("  no rsync or no sshd here to compare with")
        } else {
            let (median, ratio) = (text(Figures(theirs).median), text(Figures(ratios).median))
            say("  rsync -a -e ssh: \(median) s; rsync : huddle = \(ratio)")
        }
        await rival?.end()
        try await rest()
    }

    private func check(_ here: String, _ there: String) throws {
        for number in stride(from: 0, to: Self.files, by: 97) {
            let name = "\(number / 100)/\(number).dat"
            let bytes = Place.bytes("\(here)/\(name)", count: 4_096)
            guard bytes != nil, bytes == Place.bytes("\(there)/\(name)", count: 4_096) else {
                throw Unexpected("\(name) is not there as it is here")
            }
        }
    }

    private func clear(_ set: SharedFolder, _ round: Int) async throws {
        let before = await pair.far.counts.applied
        let path = "\(set.here)/round-\(round)"
        guard rename(path, "\(Place.disk)/gone") == 0 else { throw SystemError("rename", on: path) }
        try Place.remove("\(Place.disk)/gone")
        try await pair.far.untilApplied(beyond: before)
    }

    /// What a daemon costs that has 10,000 files and nothing to do.
    private func rest() async throws {
        for host in [pair.near, pair.far] { try await host.stop() }
        for host in [pair.near, pair.far] { try await host.start() }
        // The two meet again, and each looks at its folder.
        try await EventLoop.shared.sleep(for: .seconds(10))
        let hosts = [pair.near, pair.far]
        var before: [ProcessFigures?] = []
        for host in hosts { before.append(await host.figures()) }
        try await EventLoop.shared.sleep(for: .seconds(20))
        for (host, before) in zip(hosts, before) {
            guard let before, let after = await host.figures() else { throw Unexpected("\(host.name) is gone") }
            let work = seconds(after.processorTime - before.processorTime) * 1_000
            say(
                "at rest with 10,000 files, \(host.name): \(text(Double(after.residentKiB) / 1024, 1)) MiB resident "
                    + "(goal 15), \(text(work)) ms of processor time in 20 s (goal 5), "
                    + "\(after.wakeUps - before.wakeUps) wake-ups"
            )
        }
    }
}
