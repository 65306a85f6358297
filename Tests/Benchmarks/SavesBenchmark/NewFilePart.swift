import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// A new file of 1 GiB in a shared game, beside `huddle send` of the same file and the rivals.
struct NewFilePart {
    private static let (size, rounds) = (1 << 30, 3)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        let rsync = try await RsyncRival(from: pair.lab[1], to: pair.lab[2], in: Place.disk)
        let syncthing = try await pair.syncthing("new")
        var (ours, work, sends, phases) = ([Double](), [Double](), [Double](), Phases())
        var (rsyncs, syncthings) = ([Double](), [Double]())
        for round in 1...Self.rounds {
            let set = try await share(round)
            let source = try source(round)
            let (before, spent) = (await pair.far.counts.applied, try await processorTime())
            // The whole file appears at once, so that the sync is measured and not the game.
            let start = ContinuousClock.now
            guard rename(source, "\(set.here)/world") == 0 else { throw SystemError("rename", on: source) }
            try await pair.far.untilApplied(beyond: before)
            ours.append(seconds(.now - start) - DaemonHost.settle)
            await phases.note(pair, since: start)
            work.append(try await processorTime() - spent)
            try check("\(set.here)/world", "\(set.there)/world")
            sends.append(try await send("\(set.here)/world"))
            if let rsync {
                rsyncs.append(try await rsync.copy("\(set.here)/world", to: "\(Place.disk)/rsync-new-\(round)"))
            }
            if let syncthing { syncthings.append(try await copy(round, by: syncthing)) }
            for host in [pair.near, pair.far] { try await host.huddle(["stop", "new-\(round)"]) }
        }
        let (median, send) = (Figures(ours).median, Figures(sends).median)
        say(
            "a new file of 1 GiB appears → whole on the other host, beyond settling, median of \(Self.rounds): "
                + "\(text(median)) s, \(Figures(ours).range) s; processor time of both daemons "
                + "\(text(Figures(work).median)) s (\(phases.text))"
        )
        say("  huddle send of it: \(text(send)) s; ours : send = \(text(median / send)) (goal 2)")
        if !Rival.isMissing("rsync or sshd", rsyncs) { say("  rsync -a -e ssh: \(Rival.beside(ours, rsyncs))") }
        if !Rival.isMissing("Syncthing", syncthings) {
            say("  Syncthing, told at once: \(Rival.beside(ours, syncthings))")
        }
        await rsync?.end()
        await syncthing?.end()
    }

    /// Shares a game of one small file on both hosts.
    private func share(_ round: Int) async throws -> SharedFolder {
        let name = "new-\(round)"
        try Place.make("\(pair.near.folder)/\(name)")
        try Place.write("\(pair.near.folder)/\(name)/first", seed: 1, count: 4_096, truncating: true)
        return try await pair.share(name)
    }

    private func source(_ round: Int) throws -> String {
        let path = "\(Place.disk)/new"
        try Place.write(path, seed: UInt64(round) << 44, count: Self.size, truncating: true)
        return path
    }

    /// The processor time of both daemons so far.
    private func processorTime() async throws -> Double {
        var sum = 0.0
        for host in [pair.near, pair.far] {
            guard let figures = await host.figures() else { throw Unexpected("\(host.name) is gone") }
            sum += seconds(figures.processorTime)
        }
        return sum
    }

    private func send(_ path: String) async throws -> Double {
        let start = ContinuousClock.now
        try await pair.near.huddle(["send", pair.far.name, path])
        return seconds(.now - start)
    }

    private func copy(_ round: Int, by syncthing: SyncthingRival) async throws -> Double {
        let source = try source(round)
        let target = "\(syncthing.here)/world-\(round)"
        guard rename(source, target) == 0 else { throw SystemError("rename", on: source) }
        return try await syncthing.copy(files: round)
    }

    private func check(_ here: String, _ there: String) throws {
        for place in stride(from: 0, to: Self.size, by: 37 << 20) {
            let bytes = Place.bytes(here, at: place, count: 4_096)
            guard bytes != nil, bytes == Place.bytes(there, at: place, count: 4_096) else {
                throw Unexpected("the file is not there as it is here, at \(place)")
            }
        }
    }
}
