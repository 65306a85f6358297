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
        let rival = try await Rival(bench)
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

/// `rsync` over `ssh` with a throwaway key, from the first host to the second.
private struct Rival {
    let bench: Bench
    let daemon: ChildProcess
    /// What a login alone takes, in seconds.
    private(set) var login = 0.0

    private static let folder = "\(Place.disk)/ssh"
    private static let client =
        "ssh -i \(folder)/key -p 2222 -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"

    /// Nil where the tools are missing.
    init?(_ bench: Bench) async throws {
        guard access("/usr/sbin/sshd", X_OK) == 0, access("/usr/bin/rsync", X_OK) == 0 else { return nil }
        self.bench = bench
        try Place.remove(Self.folder)
        try Place.make(Self.folder)
        daemon = try await bench.lab[2].start(["sh", "-c", Self.script])
        try await bench.ready(daemon)
        try await untilReady()
        var times: [Double] = []
        for _ in 0..<5 { times.append(try await ssh("true")) }
        login = Figures(times).median
    }

    func copy(_ path: String, to target: String) async throws -> Double {
        try await timed(["rsync", "-a", "-e", Self.client, path, "\(bench.lab[2].address):\(target)/"])
    }

    /// The daemon doesn't say when it listens.
    private func untilReady() async throws {
        for _ in 0..<50 {
            if (try? await ssh("true")) != nil { return }
            try await EventLoop.shared.sleep(for: .milliseconds(50))
        }
    }

    func end() async { await daemon.terminate() }

    private func ssh(_ command: String) async throws -> Double {
        try await timed(Self.client.split(separator: " ").map(String.init) + [bench.lab[2].address, command])
    }

    private func timed(_ words: [String]) async throws -> Double {
        let start = ContinuousClock.now
        let result = try await bench.lab[1].run(words, deadline: .seconds(120))
        guard result.status.isSuccess else { throw BadWord(words: [result.standardError.text]) }
        return seconds(.now - start)
    }

    private static let script = """
        set -e
        mkdir -p /run/sshd
        ssh-keygen -q -t ed25519 -N '' -f \(folder)/key
        ssh-keygen -q -t ed25519 -N '' -f \(folder)/host
        cp \(folder)/key.pub \(folder)/known
        cat > \(folder)/configuration <<END
        Port 2222
        HostKey \(folder)/host
        AuthorizedKeysFile \(folder)/known
        PermitRootLogin yes
        StrictModes no
        UsePAM no
        PidFile none
        END
        echo ready
        exec /usr/sbin/sshd -D -e -f \(folder)/configuration
        """
}
