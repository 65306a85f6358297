import Glibc
import LinuxPlatform
import Vocabulary

/// The person's own program, and the surroundings that it is called in.
package struct HookProgram: Sendable {
    /// What of our environment is for it: where it is, in which words it speaks, and which desktop it could show something on. What
    /// a service manager has told us is not.
    private static let handedOn: Set<String> = [
        "HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
        "DBUS_SESSION_BUS_ADDRESS",
    ]
    private static let handedOnFamilies = ["LC_", "XDG_"]
    /// What it makes is its user's alone, it leaves no core file, and it may open what most programs expect: a daemon with more open files
    /// would hand its own limit on, with which programs fail that use `select`. Only a process itself can set its umask, so a shell does it
    /// and becomes the program.
    private static let launcher =
        "umask 077; ulimit -c 0 2>/dev/null; ulimit -S -n 1024 2>/dev/null; exec \"$0\" \"$@\""
    /// Of what it complains about, this much is of interest.
    private static let complaintLimit = 4096

    private let path: String
    private let limit: Duration
    private let environment: [String: String]

    /// - Parameters:
    ///   - path: a whole one
    ///   - limit: how long a call may take
    ///   - environment: our own
    ///   - state: whose machine it speaks for where it calls `huddle`
    package init(at path: String, limit: Duration, from environment: [String: String], state: String) {
        (self.path, self.limit) = (path, limit)
        var clean = environment.filter { name, _ in
            Self.handedOn.contains(name) || Self.handedOnFamilies.contains { name.hasPrefix($0) }
        }
        clean["PATH"] = clean["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        clean["HUDDLE_STATE"] = state
        self.environment = clean
    }

    /// That it is there and may be run, as far as can be told without running it.
    func check() throws(HookError) {
        guard access(path, X_OK) == 0 else { throw .notStarted(path, SystemError("access", errno, on: path)) }
        var facts = stat()
        guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT != S_IFDIR else {
            throw .notStarted(path, SystemError("execve", EISDIR, on: path))
        }
    }

    /// Calls it and waits for its end.
    ///
    /// - Throws: ``HookError``, or `CancellationError` once it has been killed because the caller was cancelled
    func call(_ call: HookCall) async throws {
        let program = try await start(call.occasion)
        let ended = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            // It may well end without having read.
            group.addTask {
                try? await program.standardInput?.write(call.input)
                await program.standardInput?.close()
            }
            return try await program.complete(outputLimit: Self.complaintLimit, deadline: limit)
        }
        if ended.exceededDeadline { throw HookError.tooSlow(path, limit) }
        guard ended.status.isSuccess else {
            throw HookError.failed(path, ended.status, saying: ended.standardError.bytes)
        }
    }

    private func start(_ occasion: HookOccasion) async throws -> ChildProcess {
        var launch = ProgramLaunch("/bin/sh", ["-c", Self.launcher, path, occasion.rawValue])
        launch.environment = environment
        launch.folder = environment["HOME"].flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? "/"
        launch.standardInput = .pipe
        launch.standardOutput = .null
        launch.standardError = .pipe
        launch.takesOthersAlong = true
        do {
            // The program may lie where a disk is slow.
            return try await runBlocking("hook") { [launch] in
                try check()
                return try ChildProcess.launch(launch)
            }
        } catch let error as SystemError {
            throw HookError.notStarted(path, error)
        }
    }
}
