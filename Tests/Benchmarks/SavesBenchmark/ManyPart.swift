import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// 10,000 new files of 4 KiB, beside `cp` and `rsync` over `ssh`, and then the costs of both idle hosts.
struct ManyPart {
    private static let (files, rounds) = (10_000, 3)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        let rsync = try await RsyncRival(from: pair.lab[1], to: pair.lab[2], in: Place.disk)
        let syncthing = try await pair.syncthing("many")
        var (ours, copies, syncthings, phases) = ([Double](), [Double](), [Double](), Phases())
        var (rsyncs, flushed) = ([Double](), [Double]())
        for round in 1...Self.rounds {
            // No file is deleted between rounds: a file system without a journal searches long for space that was just
            // freed.
            let set = try await share(round)
            let source = "\(Place.disk)/source"
            try Place.make(source)
            try Place.fill(source, files: Self.files, count: 4_096, seed: UInt64(round) << 32)
            let before = await pair.far.counts.applied
            // All files appear at once, so that the sync is measured.
            let start = ContinuousClock.now
            guard rename(source, "\(set.here)/all") == 0 else { throw SystemError("rename", on: source) }
            try await pair.far.untilApplied(beyond: before)
            ours.append(seconds(.now - start) - DaemonHost.settle)
            await phases.note(pair, since: start)
            try check("\(set.here)/all", "\(set.there)/all")
            copies.append(try await copy("\(set.here)/all", to: "\(Place.disk)/copy-\(round)"))
            if let rsync {
                rsyncs.append(try await rsync.copy("\(set.here)/all", to: "\(Place.disk)/rsync-\(round)"))
                let place = "\(Place.disk)/flushed-\(round)"
                flushed.append(try await rsync.copy("\(set.here)/all", to: place, flushed: true))
            }
            if let syncthing {
                let target = "\(syncthing.here)/all-\(round)"
                _ = try await copy("\(set.here)/all", to: source)
                guard rename(source, target) == 0 else { throw SystemError("rename", on: source) }
                syncthings.append(try await syncthing.copy(files: round * Self.files))
            }
        }
        say(
            "10,000 files of 4 KiB appear → whole on the other host, beyond settling, "
                + "median of \(Self.rounds): \(text(Figures(ours).median)) s (\(phases.text))"
        )
        say("  copied on one host and flushed, which is done twice with us: \(text(Figures(copies).median)) s")
        if !Rival.isMissing("rsync or sshd", rsyncs) {
            say("  rsync -a -e ssh, not flushed: \(Rival.beside(ours, rsyncs))")
            say("  rsync -a --fsync -e ssh: \(Rival.beside(ours, flushed))")
        }
        if !Rival.isMissing("Syncthing", syncthings) {
            say("  Syncthing, told at once: \(Rival.beside(ours, syncthings))")
        }
        await rsync?.end()
        await syncthing?.end()
        try await rest()
    }

    /// Shares a game of one file on both hosts.
    private func share(_ round: Int) async throws -> SharedFolder {
        let name = "many-\(round)"
        try Place.make("\(pair.near.folder)/\(name)")
        try Place.write("\(pair.near.folder)/\(name)/first", seed: 1, count: 4_096, truncating: true)
        return try await pair.share(name)
    }

    /// Measures the disk with as many files.
    private func copy(_ path: String, to target: String) async throws -> Double {
        let start = ContinuousClock.now
        let words = ["sh", "-c", "cp -r \(path) \(target) && sync -f \(target)"]
        let copied = try await pair.far.host.run(words, deadline: .seconds(120))
        guard copied.status.isSuccess else { throw Unexpected("cp: \(copied.standardError.text)") }
        return seconds(.now - start)
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

    /// Measures an idle daemon with 10,000 files.
    private func rest() async throws {
        for host in [pair.near, pair.far] {
            for round in 1..<Self.rounds { try await host.huddle(["stop", "many-\(round)"]) }
            try await host.stop()
        }
        for host in [pair.near, pair.far] { try await host.start() }
        // The two connect again, and each scans its folder.
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
