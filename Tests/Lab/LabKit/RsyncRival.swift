import Glibc
import LinuxPlatform
import Vocabulary

/// `rsync` over `ssh` with a temporary key, from one host to another, as the rival of a benchmark.
public struct RsyncRival: Sendable {
    private let near: LabHost
    private let far: LabHost
    private let folder: String
    private let daemon: ChildProcess
    /// The seconds that a login alone takes.
    public private(set) var login = 0.0

    /// Starts the server; nil if the tools are missing.
    ///
    /// - Parameter place: a folder that both hosts see, for the temporary keys
    public init?(from near: LabHost, to far: LabHost, in place: String) async throws {
        guard access("/usr/sbin/sshd", X_OK) == 0, access("/usr/bin/rsync", X_OK) == 0 else { return nil }
        (self.near, self.far, folder) = (near, far, "\(place)/ssh")
        daemon = try await far.start(["sh", "-c", Self.script(folder)])
        guard let output = daemon.standardOutput else { return nil }
        for try await line in output.lines() where line == "ready" { break }
        // The server does not report when it listens.
        _ = try await timed(client + ["-o", "ConnectionAttempts=20", far.address, "true"])
        var times: [Double] = []
        for _ in 0..<5 { times.append(try await ssh("true")) }
        login = times.sorted()[2]
    }

    /// Copies a folder, and returns the seconds that it took.
    ///
    /// - Parameter flushed: true if rsync flushes each file, which it does not do by default
    public func copy(_ path: String, to target: String, flushed: Bool = false) async throws -> Double {
        let flushing = flushed ? ["--fsync"] : []
        return try await timed(
            ["rsync", "-a"] + flushing + ["-e", client.joined(separator: " "), path, "\(far.address):\(target)/"]
        )
    }

    /// Ends the server.
    public func end() async { await daemon.terminate() }

    private func ssh(_ command: String) async throws -> Double { try await timed(client + [far.address, command]) }

    private func timed(_ words: [String]) async throws -> Double {
        let start = ContinuousClock.now
        let result = try await near.run(words, deadline: .seconds(120))
        guard result.status.isSuccess else {
            throw LabError(
                "lab.rival",
                "\(words[0]) \(result.status): \(LastWords(result.standardError.text))",
                nextStep: "try it by hand in `make lab`"
            )
        }
        let (seconds, rest) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(rest) / 1e18
    }

    private var client: [String] {
        [
            "ssh", "-i", "\(folder)/key", "-p", "2222", "-o", "StrictHostKeyChecking=no", "-o",
            "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
        ]
    }

    private static func script(_ folder: String) -> String {
        """
        set -e
        rm -rf \(folder)
        mkdir -p /run/sshd
        mkdir -m 700 \(folder)
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
}
