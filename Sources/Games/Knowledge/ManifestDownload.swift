import Glibc
import LinuxPlatform

/// Fetches a manifest with the program `curl`, so that Huddle itself connects to no server.
package enum ManifestDownload {
    private static let mostBytes = 64 << 20
    private static let limit = Duration.seconds(300)

    /// True if the user typed an address, not a path.
    package static func isAddress(_ source: String) -> Bool { source.contains("://") }

    /// - Parameter address: `https://…` or `http://…`
    package static func fetch(_ address: String) async throws(ManifestFailure) -> [UInt8] {
        let small = address.lowercased()
        guard small.hasPrefix("https://") || small.hasPrefix("http://") else { throw .badAddress(address) }
        let launch = ProgramLaunch(
            "curl",
            [
                "--fail", "--silent", "--show-error", "--location", "--compressed", "--proto", "=https,http",
                "--max-redirs", "5",
                "--max-filesize", "\(mostBytes)", "--connect-timeout", "30", "--", address,
            ]
        )
        let run: CompletedProgram
        do {
            run = try await ChildProcess.run(launch, outputLimit: mostBytes, deadline: limit)
        } catch let error as SystemError where error.number == ENOENT {
            throw .noCurl
        } catch {
            throw .notFetched(address, "\(error)")
        }
        if run.exceededDeadline { throw .notFetched(address, "it took longer than five minutes") }
        guard !run.standardOutput.overflowed else { throw .notFetched(address, "it is larger than 64 MiB") }
        guard run.status == .exited(0) else {
            let said = run.standardError.text.split(separator: "\n").last.map(String.init)
            throw .notFetched(address, said ?? "curl ended with \(run.status)")
        }
        return run.standardOutput.bytes
    }
}
