import LinuxPlatform
import Vocabulary

/// The namespaces of a keeper, in which programs can run.
struct Room: Sendable {
    let keeper: Keeper
    let privilege: Privilege
    /// Its name in messages.
    let name: String
    var namespaces: Namespaces = .machine

    func start(_ launch: ProgramLaunch, folderIsOptional: Bool) async throws -> ChildProcess {
        var start = NamespaceLaunch(launch)
        start.joined = (keeper, namespaces.union(privilege.joined))
        start.folderIsOptional = folderIsOptional
        do {
            return try await start.start()
        } catch {
            throw LabError(
                "lab.program",
                "\(launch.program) can't be started on \(name)",
                cause: error,
                nextStep: "check the program's path, and with “lab list” that the lab still runs"
            )
        }
    }

    /// Runs one of the lab's own scripts to its end.
    func perform(_ step: String, _ script: String, _ words: [String]) async throws {
        let result = try await run(script, words)
        guard !result.status.isSuccess else { return }
        let said = LastWords(result.standardError.text)
        let ending = result.exceededDeadline ? "took longer than 15 s" : "\(result.status)"
        throw LabError(
            "lab.step",
            "\(name) could not \(step): the step \(ending), \(said)",
            nextStep: "run the step by hand with “lab run”, or take the lab down and up again"
        )
    }

    func run(_ script: String, _ words: [String]) async throws -> CompletedProgram {
        var launch = ProgramLaunch("/bin/sh", ["-c", script, "lab"] + words)
        launch.environment = HostEnvironment.plain
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        launch.startsSession = true
        launch.folder = "/"
        return try await start(launch, folderIsOptional: false).complete(deadline: .seconds(15))
    }
}
