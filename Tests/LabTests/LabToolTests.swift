import Glibc
import LabKit
import LinuxPlatform
import Testing

@Suite("The lab command", .serialized, .needsLab, .timeLimit(.minutes(10)))
struct LabToolTests {
    private func tool(_ words: String..., deadline: Duration = .seconds(30)) async throws -> CompletedProgram {
        try await ChildProcess.run(ProgramLaunch(try ToolPath.find(), words), deadline: deadline)
    }

    @Test("A lab is started, used, broken, repaired and ended by commands")
    func wholeRound() async throws {
        let name = "tool-\(getpid())"
        var launch = ProgramLaunch(try ToolPath.find(), ["up", "--names", "deck,tower", "--name", name])
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        let owner = try ChildProcess.launch(launch)
        _ = try await line(from: owner.standardError) { $0.contains("the lab is up") }
        #expect(try await tool("list").standardOutput.text.contains("\(name): 1 deck 10.77.0.1, 2 tower 10.77.0.2"))

        let run = try await tool("run", "2", "--name", name, "--", "sh", "-c", "hostname; exit 9")
        #expect(run.status == .exited(9))
        #expect(run.standardOutput.text == "tower\n")
        #expect(try await tool("run", "2", "--name", name, "--", "sh", "-c", "kill -KILL $$").status == .exited(137))
        #expect(try await tool("run", "2", "--name", name, "--", "no-such-program").status == .exited(127))

        for verb in ["cut", "plug", "isolate", "rejoin", "restart-avahi", "clear"] {
            #expect(try await tool(verb, "2", "--name", name).status.isSuccess)
        }
        if Lab.availability().canImpair {
            let words = [
                "impair", "2", "--name", name, "--loss", "5", "--delay", "1ms", "--jitter", "1ms", "--rate", "9mbit",
            ]
            let impairing = ProgramLaunch(try ToolPath.find(), words)
            #expect(try await ChildProcess.run(impairing, deadline: .seconds(30)).status.isSuccess)
            #expect(try await tool("clear", "2", "--name", name).status.isSuccess)
        }
        let taken = try await tool("up", "--name", name)
        #expect(taken.status == .exited(2))
        #expect(try await tool("cut", "3", "--name", name).status == .exited(2))
        #expect(try await tool("down", "--name", name).status.isSuccess)
        #expect(try await owner.wait() == .exited(0))
        #expect(try await tool("run", "1", "--name", name, "--", "true").status == .exited(1))
    }

    @Test("A signal to “lab run” reaches the program, and its exit code comes back")
    func signalsAreHandedOn() async throws {
        let name = "signals-\(getpid())"
        var up = ProgramLaunch(try ToolPath.find(), ["up", "--hosts", "1", "--name", name])
        up.standardOutput = .pipe
        up.standardError = .pipe
        let owner = try ChildProcess.launch(up)
        _ = try await line(from: owner.standardError) { $0.contains("the lab is up") }
        let script = "trap 'exit 42' TERM; echo up; sleep 1000 & wait"
        var run = ProgramLaunch(try ToolPath.find(), ["run", "1", "--name", name, "--", "sh", "-c", script])
        run.standardOutput = .pipe
        let running = try ChildProcess.launch(run)
        _ = try await line(from: running.standardOutput) { $0 == "up" }
        #expect(await running.terminate() == .exited(42))
        #expect(await owner.terminate() == .exited(0))
    }

    @Test("A private Avahi runs for one program, and the exit code is the program's")
    func privateAvahi() async throws {
        let script = """
            coproc avahi-publish -s Deck _huddle._tcp 4242 2>&1
            read -r established <&"${COPROC[0]}"
            avahi-browse -pt _huddle._tcp
            kill "$COPROC_PID"
            exit 6
            """
        let result = try await tool("private", "--", "bash", "-c", script, deadline: .seconds(60))
        #expect(result.status == .exited(6))
        #expect(result.standardOutput.text.hasSuffix("Deck;_huddle._tcp;local\n"))
    }

    @Test("A private Avahi reports its start in one line, and ends with a killed “lab private”")
    func killedPrivateAvahi() async throws {
        guard await !PrivateDiscovery.isAvahiReachable() else { return }
        var launch = ProgramLaunch(
            try ToolPath.find(),
            ["private", "--", "sh", "-c", "echo $DBUS_SYSTEM_BUS_ADDRESS; read never; exit 0"]
        )
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        let child = try ChildProcess.launch(launch)
        let address = try await line(from: child.standardOutput) { $0.hasPrefix("unix:abstract=") }
        let note = try await line(from: child.standardError) { _ in true }
        #expect(note == "lab: no Avahi runs here, so sh gets one of its own until it ends")
        var watch = ProgramLaunch("dbus-monitor", ["--address", address])
        watch.standardOutput = .pipe
        let watching = try ChildProcess.launch(watch)
        _ = try await line(from: watching.standardOutput) { $0.contains("NameAcquired") }
        child.send(SIGKILL)
        // The bus closes all connections when it ends.
        _ = try await EventLoop.shared.withDeadline(.seconds(10), "wait for the bus to end") {
            try await watching.wait()
        }
    }

    @Test(
        "An invalid command line ends with code 2 and names the help",
        arguments: [
            ["frobnicate"], ["run"], ["up", "--hosts", "0"], ["up", "--hosts"], ["impair", "--delay", "soon"],
            ["list", "this"],
        ]
    )
    func usage(words: [String]) async throws {
        let result = try await ChildProcess.run(ProgramLaunch(try ToolPath.find(), words), deadline: .seconds(20))
        #expect(result.status == .exited(2))
        #expect(result.standardError.text.contains("lab help"))
    }
}
