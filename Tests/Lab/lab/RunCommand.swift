import LabKit
import LinuxPlatform

/// `lab run` and `lab shell`: programs on a host, in this terminal.
enum RunCommand {
    static func run(_ words: inout Words) throws {
        guard let command = words.command, !command.isEmpty else { throw UsageError("the command comes after --") }
        try attend(command, &words)
    }

    static func shell(_ words: inout Words) throws {
        try attend([ProgramLaunch.ownEnvironment["SHELL"] ?? "/bin/sh"], &words)
    }

    private static func attend(_ command: [String], _ words: inout Words) throws {
        let lab = try words.lab()
        let host = try words.host(of: lab)
        try words.finish()
        var launch = host.launch(command)
        launch.standardInput = .inherited
        let program = launch
        Attendance.attend(start: { try await host.start(program) })
    }
}
