import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// 10,000 small files as one folder, beside `rsync` over `ssh`.
struct FolderPart {
    private static let files = 10_000
    private static let rounds = 5

    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    func run() async throws {
        for place in [Place.memory, Place.disk] {
            let path = "\(place)/saves"
            try Place.writeFolder(path, files: Self.files, count: 4_096)
            try await compare(path, place)
            try Place.remove(path)
        }
    }

    private func compare(_ path: String, _ place: String) async throws {
        let rival = try await RsyncRival(from: bench.lab[1], to: bench.lab[2], in: Place.disk)
        var (theirs, ours, ratios, said) = ([Double](), [Double](), [Double](), Bench.Said())
        for _ in 0..<Self.rounds {
            if let rival { theirs.append(try await rival.copy(path, to: "\(place)/rsync")) }
            try Place.remove("\(place)/rsync")
            said = try await bench.huddle("resource", [path], into: place)
            ours.append(said["seconds"])
            if let last = theirs.last { ratios.append(last / said["seconds"]) }
            try bench.clear(place)
        }
        await rival?.end()
        let name = place == Place.disk ? "disk" : "tmpfs"
        say(
            "10,000 files of 4 KiB, \(name) to \(name), median of \(Self.rounds): huddle \(text(Figures(ours).median)) s"
        )
        say(
            "  peak memory: sender \(text(said["peak"] / 1024, 1)) MiB, receiver \(text(said["peak there"] / 1024, 1)) MiB"
        )
        guard !theirs.isEmpty, let rival else { return say("  no rsync or no sshd here to compare with") }
        let median = Figures(theirs).median
        say(
            "  rsync -a -e ssh: \(text(median)) s, of it \(text(rival.login)) s to log in; rsync : huddle = \(text(Figures(ratios).median)); "
                + "without the login \(text((median - rival.login) / Figures(ours).median))"
        )
    }
}
