import LinuxPlatform
import Vocabulary

/// A bus and an Avahi as children of this process, for root in a container that may make no namespaces. They end with
/// this process, no matter how it ends.
final class DirectDaemons: Sendable {
    private let programs: [ChildProcess]

    private init(_ programs: [ChildProcess]) {
        self.programs = programs
    }

    /// The script of a shell that ends with its input, and so with this process. It removes its file.
    private static let held = """
        file=$(mktemp) && printf '%s\\n' "$1" > "$file" || exit
        shift
        "$@" "$file" < /dev/null 2>&1 &
        cat > /dev/null
        kill $! 2> /dev/null
        wait
        rm -f "$file"
        """

    static func start(_ bus: String, at address: String) async throws -> DirectDaemons {
        var programs: [ChildProcess] = []
        do {
            let dbus = ["dbus-daemon", "--nofork", "--nopidfile", "--print-address", "--config-file"]
            programs.append(try await start(dbus, bus, until: "unix:abstract="))
            let avahi = [
                "env", "DBUS_SYSTEM_BUS_ADDRESS=\(address)", "avahi-daemon", "--no-drop-root", "--no-chroot",
                "--no-rlimits",
                "--file",
            ]
            programs.append(
                try await start(avahi, DaemonConfiguration.avahiOnLoopback, until: "Server startup complete")
            )
        } catch {
            await DirectDaemons(programs).end()
            throw error
        }
        return DirectDaemons(programs)
    }

    /// - Parameter file: the text of the file that comes last
    private static func start(_ words: [String], _ file: String, until ready: String) async throws -> ChildProcess {
        var launch = ProgramLaunch("/bin/sh", ["-c", held, "lab", file] + words)
        launch.environment = HostEnvironment.plain
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        launch.startsSession = true
        let program = try ChildProcess.launch(launch)
        guard let output = program.standardOutput else { preconditionFailure("it is a pipe") }
        var lines = output.lines().makeAsyncIterator()
        var last = ""
        while let line = try await lines.next() {
            if line.contains(ready) {
                // Its later output must not fill the pipe.
                Task { while try await lines.next() != nil {} }
                return program
            }
            last = line
        }
        throw LabError(
            "lab.step",
            "\(words.last { $0.hasSuffix("-daemon") } ?? words[0]) ended as it was started: \(PrintableText(last, limit: 400))",
            nextStep: "see whether another one runs, or whether /run can be written to"
        )
    }

    func end() async {
        for program in programs.reversed() {
            await program.standardInput?.close()
            _ = try? await program.wait()
        }
    }
}
