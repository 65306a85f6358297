import Glibc
import LinuxPlatform
import Testing
import TestSupport

@Suite("Child processes", .timeLimit(.minutes(5)))
struct ChildProcessTests {
    private func shell(_ script: String) -> ProgramLaunch {
        ProgramLaunch("/bin/sh", ["-c", script])
    }

    private func run(_ script: String, outputLimit: Int = 1 << 20) async throws -> CompletedProgram {
        try await ChildProcess.run(shell(script), outputLimit: outputLimit, deadline: .seconds(20))
    }

    @Test("Output, error output and exit code are separate")
    func completesWithEverything() async throws {
        let result = try await run("echo result; echo complaint >&2; exit 7")
        #expect(result.status == .exited(7))
        #expect(result.standardOutput.text == "result\n")
        #expect(result.standardError.text == "complaint\n")
        #expect(!result.exceededDeadline)
    }

    @Test("A program is found in PATH, and a missing one is an error with its name")
    func missingProgram() async throws {
        #expect(try await ChildProcess.run(ProgramLaunch("true"), deadline: .seconds(20)).status.isSuccess)
        let error = #expect(throws: SystemError.self) {
            try ChildProcess.launch(ProgramLaunch("no-such-program-at-all"))
        }
        #expect(error?.number == ENOENT)
        #expect(error?.subject == "no-such-program-at-all")
    }

    @Test("A program killed by a signal reports the signal")
    func endsBySignal() async throws {
        #expect(try await run("kill -KILL $$").status == .signalled(SIGKILL))
    }

    @Test("Output beyond the limit is cut, and does not block the program")
    func boundedOutput() async throws {
        let result = try await run("head -c 5000000 /dev/zero; echo done >&2", outputLimit: 1000)
        #expect(result.status.isSuccess)
        #expect(result.standardOutput.bytes.count == 1000)
        #expect(result.standardOutput.overflowed)
        #expect(result.standardError.text == "done\n")
        #expect(!result.standardError.overflowed)
    }

    @Test("Output of exactly the limit is complete")
    func outputOfTheLimit() async throws {
        let result = try await run("head -c 1000 /dev/zero", outputLimit: 1000)
        #expect(result.standardOutput.bytes.count == 1000)
        #expect(!result.standardOutput.overflowed)
    }

    @Test("A program is killed at its deadline, and its output is kept")
    func deadline() async throws {
        let launch = shell("echo early; exec sleep 1000")
        let result = try await ChildProcess.run(launch, deadline: .milliseconds(300))
        #expect(result.exceededDeadline)
        #expect(result.status == .signalled(SIGKILL))
        #expect(result.standardOutput.text == "early\n")
    }

    @Test("The wait for a program ends with it, even if a child still has its output")
    func outputHeldOpen() async throws {
        let result = try await run("sleep 1000 & echo $!")
        #expect(result.status.isSuccess)
        let left = try #require(pid_t(result.standardOutput.text.dropLast()))
        #expect(kill(left, SIGKILL) == 0)
    }

    @Test("A program that ends its children leaves none of them behind", arguments: [false, true])
    func takesOthersAlong(hangs: Bool) async throws {
        var launch = shell("sleep 1000 & (sleep 1000 &) ; echo begun; \(hangs ? "exec sleep 1000" : "exit 3")")
        launch.takesOthersAlong = true
        launch.standardOutput = .pipe
        let program = try ChildProcess.launch(launch)
        var lines = try #require(program.standardOutput).lines().makeAsyncIterator()
        #expect(try await lines.next() == "begun")
        if hangs { program.send(SIGKILL) }
        #expect(try await program.wait() == (hangs ? .signalled(SIGKILL) : .exited(3)))
        // All of them had the pipe, so it ends with the last of them.
        #expect(try await lines.next() == nil)
    }

    @Test("A cancelled caller kills the program")
    func cancelling() async throws {
        var launch = shell("echo $$; exec sleep 1000")
        launch.standardOutput = .pipe
        let child = try ChildProcess.launch(launch)
        var lines = try #require(child.standardOutput).lines().makeAsyncIterator()
        #expect(try await lines.next() == "\(child.identifier)")
        let task = Task { try await child.complete(deadline: .seconds(1000)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(child.status == .signalled(SIGKILL))
    }

    @Test("Lines arrive one by one, a long one in pieces, and a last one without a line end, too")
    func lines() async throws {
        var launch = shell("printf 'one\\n\\nabcdefgh\\nend'")
        launch.standardOutput = .pipe
        let child = try ChildProcess.launch(launch)
        var lines: [String] = []
        for try await line in try #require(child.standardOutput).lines(limit: 5) { lines.append(line) }
        #expect(lines == ["one", "", "abcde", "fgh", "end"])
        #expect(try await child.wait().isSuccess)
    }

    @Test("A program without a reader blocks in its write, and ends when the pipe is closed")
    func backPressure() async throws {
        var launch = ProgramLaunch("yes")
        launch.standardOutput = .pipe
        var child: ChildProcess? = try ChildProcess.launch(launch)
        let life = try #require(child)
        var lines = try #require(life.standardOutput).lines().makeAsyncIterator()
        #expect(try await lines.next() == "y")
        #expect(life.status == nil)
        child = nil
        #expect(life.send(SIGTERM))
        #expect(try await life.wait() == .signalled(SIGTERM))
        #expect(try await run("yes | head -n 1").standardOutput.text == "y\n")
    }

    @Test("Bytes written to the input arrive, and closing ends it")
    func input() async throws {
        var launch = ProgramLaunch("wc", ["-c"])
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        let child = try ChildProcess.launch(launch)
        let input = try #require(child.standardInput)
        try await input.write([UInt8](repeating: 7, count: 1_000_000))
        await input.close()
        let result = try await child.complete(deadline: .seconds(20))
        #expect(result.standardOutput.text == "1000000\n")
    }

    @Test("Writing to an ended program is an error, and does not end this process")
    func brokenPipe() async throws {
        var launch = ProgramLaunch("true")
        launch.standardInput = .pipe
        let child = try ChildProcess.launch(launch)
        #expect(try await child.wait().isSuccess)
        let input = try #require(child.standardInput)
        // A program that is starting elsewhere in this process has the other end, too, until it executes.
        let error = await #expect(throws: SystemError.self) { while true { try await input.write([1]) } }
        #expect(error?.number == EPIPE)
    }

    @Test("A program starts with default signals, none blocked, and three descriptors")
    func cleanStart() async throws {
        let stray = open("/dev/null", O_RDONLY)
        defer { close(stray) }
        let status = try await ChildProcess.run(ProgramLaunch("cat", ["/proc/self/status"]), deadline: .seconds(20))
        let signals = status.standardOutput.text.split(separator: "\n").filter { $0.hasPrefix("Sig") }
        let masks = signals.map { $0.split(separator: "\t").map(String.init) }
        #expect(masks.contains(["SigBlk:", "0000000000000000"]), "\(masks)")
        // glibc's posix_spawn ignores its own two signals, 32 and 33; no program can use them.
        #expect(masks.contains(["SigIgn:", "0000000180000000"]) || masks.contains(["SigIgn:", "0000000000000000"]))
        let descriptors = try await run("ls /proc/$$/fd")
        #expect(descriptors.standardOutput.text == "0\n1\n2\n")
    }

    @Test("Environment and folder are the requested ones")
    func surroundings() async throws {
        var launch = ProgramLaunch("/bin/sh", ["-c", "echo \"$COLOUR $PWD\""])
        launch.environment = ["COLOUR": "green"]
        launch.folder = "/usr/lib"
        let result = try await ChildProcess.run(launch, deadline: .seconds(20))
        #expect(result.standardOutput.text == "green /usr/lib\n")
        let words = ProgramLaunch.ownWords.map { String(decoding: $0, as: UTF8.self) }
        #expect(words == Array(CommandLine.arguments.dropFirst()))
        #expect(ProgramLaunch.ownEnvironment["PATH"] == getenv("PATH").map { String(cString: $0) })
    }

    @Test("Two outputs can be swapped without one overwriting the other")
    func crossedDescriptors() async throws {
        var launch = shell("echo to-output; echo to-error >&2")
        launch.standardOutput = .descriptor(STDERR_FILENO)
        launch.standardError = .descriptor(STDOUT_FILENO)
        #expect(try await ChildProcess.launch(launch).wait().isSuccess)
    }

    @Test("Many tasks can wait for one program, some are cancelled, and late ones get the result at once")
    func manyWaiters() async throws {
        let child = try ChildProcess.launch(ProgramLaunch("sleep", ["1000"]))
        let impatient = Task { try await child.wait() }
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        await withTaskGroup(of: Optional<ProgramEnding>.self) { group in
            for _ in 0..<10 { group.addTask { try? await child.wait() } }
            child.send(SIGTERM)
            for await status in group { #expect(status == .signalled(SIGTERM)) }
        }
        #expect(try await child.wait() == .signalled(SIGTERM))
        #expect(!child.send(SIGTERM))
    }

    @Test("A program that ignores the request to end is killed after a timeout")
    func stubbornProgram() async throws {
        var launch = shell("trap '' TERM; echo ready; exec sleep 1000")
        launch.standardOutput = .pipe
        let child = try ChildProcess.launch(launch)
        var lines = try #require(child.standardOutput).lines().makeAsyncIterator()
        #expect(try await lines.next() == "ready")
        #expect(await child.terminate(after: .milliseconds(200)) == .signalled(SIGKILL))
    }

    @Test("A child without a waiting task leaves no zombie")
    func noZombies() async throws {
        // The shell's end closes the pipe; the loop reaps the child after that.
        var launch = shell("exit 3")
        launch.standardOutput = .pipe
        let child = try ChildProcess.launch(launch)
        let identifier = child.identifier
        #expect(try await #require(child.standardOutput).read().isEmpty)
        while child.status == nil { try await othersTurn() }
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
    }

    @Test("Two hundred programs at once all end correctly")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: (CInt, CompletedProgram).self) { group in
            for code in 0..<200 as Range<CInt> {
                group.addTask {
                    let launch = shell("echo \(code); exit \(code)")
                    return (code, try await ChildProcess.run(launch, deadline: .seconds(50)))
                }
            }
            for try await (code, result) in group {
                #expect(result.status == .exited(code))
                #expect(result.standardOutput.text == "\(code)\n")
            }
        }
    }
}
