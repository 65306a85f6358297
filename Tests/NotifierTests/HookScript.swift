import Foundation
import Glibc
import TestSupport

@testable import Notifier

/// A hook program in a home folder of its own, with a channel to the test.
final class HookScript: Sendable {
    let home = TemporaryFolder()
    private let said: NamedPipe

    /// - Parameter body: its commands; lines written to `$SAY` reach the test
    init(_ body: String) throws {
        try home.put("#!/bin/sh\nSAY=\"$HOME/said\"\n\(body)\n", at: "text")
        chmod(home.path(of: "text"), 0o755)
        // Another test may fork while this process writes a file. Its child holds that file open until it starts its
        // own program, and the kernel runs no program that is open for writing. So another process writes the hook.
        let copy = try Process.run(
            URL(filePath: "/bin/cp"),
            arguments: [home.path(of: "text"), home.path(of: "hook")]
        )
        copy.waitUntilExit()
        said = try NamedPipe(at: home.path(of: "said"))
    }

    func program(
        limit: Duration = .seconds(60),
        at name: String = "hook",
        _ more: [String: String] = [:]
    ) -> HookProgram {
        let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"].merging(more) { _, new in new }
        return HookProgram(at: home.path(of: name), limit: limit, from: environment, state: "/state")
    }

    /// The next output, at most 4 KiB.
    func next() async throws -> String { try await said.next() }
}
