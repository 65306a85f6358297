import Glibc
import LinuxPlatform
import Vocabulary

/// The user's hook program and its environment.
package struct HookProgram: Sendable {
    /// Variables of the daemon's environment that the hook gets: paths, language and desktop session. Variables of the
    /// service manager are not among them.
    private static let handedOn: Set<String> = [
        "HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
        "DBUS_SESSION_BUS_ADDRESS",
    ]
    private static let handedOnFamilies = ["LC_", "XDG_"]
    /// A shell sets limits and then executes the hook. Files of the hook are private to the user. The hook writes no
    /// core file, and has a usual limit of open files: with the daemon's higher limit, programs that use `select` fail.
    /// Only a process itself can set its umask, so a shell is needed.
    private static let launcher =
        "umask 077; ulimit -c 0 2>/dev/null; ulimit -S -n 1024 2>/dev/null; exec \"$0\" \"$@\""
    /// Maximum number of bytes of the hook's error output.
    private static let complaintLimit = 4096

    private let path: String
    private let limit: Duration
    private let environment: [String: String]

    /// - Parameters:
    ///   - path: an absolute path
    ///   - limit: time limit of a call
    ///   - environment: the daemon's environment
    ///   - state: state folder for `huddle` commands of the hook
    package init(at path: String, limit: Duration, from environment: [String: String], state: String) {
        (self.path, self.limit) = (path, limit)
        var clean = environment.filter { name, _ in
            Self.handedOn.contains(name) || Self.handedOnFamilies.contains { name.hasPrefix($0) }
        }
        clean["PATH"] = clean["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        clean["HUDDLE_STATE"] = state
        self.environment = clean
    }

    /// Checks that the hook exists and is executable, as far as possible without running it.
    func check() throws(HookError) {
        guard access(path, X_OK) == 0 else { throw .notStarted(path, SystemError("access", errno, on: path)) }
        var facts = stat()
        guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT != S_IFDIR else {
            throw .notStarted(path, SystemError("execve", EISDIR, on: path))
        }
    }

    /// Calls the hook and waits for its end.
    ///
    /// - Throws: ``HookError``, or `CancellationError` after the hook was killed because the caller was cancelled
    func call(_ call: HookCall) async throws {
        let program = try await start(call.occasion)
        let ended = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            // The hook may end without reading its input.
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
            // The program may be on a slow disk.
            return try await runBlocking("hook") { [launch] in
                try check()
                return try ChildProcess.launch(launch)
            }
        } catch let error as SystemError {
            throw HookError.notStarted(path, error)
        }
    }
}
