import Glibc
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import Notifier

@Suite("Hook program", .timeLimit(.minutes(10)))
struct HookProgramTests {
    private static func deck() throws -> PeerTag {
        PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), nil)
    }

    private func call(_ text: String = "hello") throws -> HookCall {
        try #require(HookCall(DaemonLine(.message(MessageEvent(try Self.deck(), .text(text))), "said")))
    }

    private func failure(of program: HookProgram) async throws -> HookError? {
        let call = try call()
        return await #expect(throws: HookError.self) { try await program.call(call) }
    }

    @Test("A hook gets the occasion as its argument, and the event as one line of JSON")
    func given() async throws {
        let script = try HookScript("{ echo \"$#:$1\"; cat; } > \"$SAY\"")
        try await script.program().call(try call("dinner\nis ready"))
        let given = try await script.next()
        #expect(given.hasPrefix("1:message\n") && given.hasSuffix("\"text\":\"dinner\\nis ready\"}\n"))
    }

    @Test(
        "A hook is called for events that matter to the user",
        arguments: [
            (#""event":"invited","session":"chat","invitation":"0f","needsCode":true"#, "invitation"),
            (#""event":"message","text":"hello""#, "message"),
            (#""event":"received","name":"a","path":"/a","kind":"file","bytes":1"#, "file"),
            (#""event":"saved","set":"0f","name":"celeste","snapshot":"0e""#, "snapshot"),
            (#""event":"arrived","set":"0f","name":"celeste","snapshot":"0e""#, "snapshot"),
            (#""event":"merged","set":"0f","name":"celeste","snapshot":"0e""#, "snapshot"),
            (#""event":"conflict","set":"0f","name":"celeste","heads":[]"#, "conflict"),
            (#""event":"vouched","details":{"voucher":"aaaa"}"#, "machine"),
            (#""event":"removed-elsewhere","details":{"voucher":"aaaa"}"#, "machine"),
            (#""event":"applied","set":"0f","name":"celeste","snapshot":"0e""#, ""),
            (#""event":"trouble""#, ""), (#""event":"joined""#, ""),
        ]
    )
    func occasions(event: String, occasion: String) throws {
        let text = "{\(event),\"peer\":{\"id\":\"\(try Self.deck().id)\"}}"
        let line = try DaemonLine(JSONFields(Array(text.utf8)))
        #expect(HookCall(line)?.occasion.rawValue ?? "" == occasion)
    }

    @Test("A hook has a clean environment: home folder, three open files, no variables of a service manager")
    func surroundings() async throws {
        let script = try HookScript("{ pwd; ls /proc/self/fd; env | sort; } > \"$SAY\"")
        let program = script.program([
            "NOTIFY_SOCKET": "/run/x", "LISTEN_FDS": "1", "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": "/run/user/1",
            "SECRET": "x", "LD_PRELOAD": "",
        ])
        // Open files of the daemon that could leak.
        let leaky = try retrying("open") { open("/dev/null", O_RDONLY) }
        defer { close(leaky) }
        try await program.call(try call())
        let lines = try await script.next().split(separator: "\n").map(String.init)
        #expect(lines.first == script.home.path)
        // The last one is the folder that `ls` itself reads.
        #expect(lines.filter { Int($0) != nil } == ["0", "1", "2", "3"])
        let names = Set(lines.dropFirst().filter { $0.contains("=") }.map { $0.prefix { $0 != "=" } }.map(String.init))
        let shells: Set = ["PWD", "OLDPWD", "_", "SHLVL"]
        #expect(names.subtracting(shells) == ["HOME", "PATH", "LC_ALL", "XDG_RUNTIME_DIR", "HUDDLE_STATE"])
    }

    @Test("A hook has its own umask and limits, whatever the daemon's are")
    func limits() async throws {
        let script = try HookScript("{ umask; ulimit -H -c; ulimit -S -n; } > \"$SAY\"")
        var before = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before) == 0)
        try await script.program().call(try call())
        #expect(try await script.next() == "0077\n0\n\(min(1024, before.rlim_max))\n")
    }

    @Test("A hook that hangs is killed at its time limit, with its child processes")
    func hangs() async throws {
        let script = try HookScript("sleep 1000 & echo \"$! $$\" > \"$SAY\"; sleep 1000")
        let failure = try await failure(of: script.program(limit: .seconds(1)))
        #expect(failure?.code == "hook.too-slow")
        #expect(failure?.message.contains("took longer than 1 s") == true)
        try await expectGone(try await script.next())
    }

    @Test("A hook that forks and ends leaves no process behind, and ends at once")
    func forks() async throws {
        let script = try HookScript("(sleep 1000 & echo \"$!\" > \"$SAY\") & wait; exit 0")
        try await script.program().call(try call())
        try await expectGone(try await script.next())
    }

    /// Waits until these processes have ended.
    private func expectGone(_ numbers: String) async throws {
        for number in numbers.split(whereSeparator: \.isWhitespace) {
            let process = try #require(CInt(number))
            let path = "/proc/\(process)/stat"
            // It was killed; the parent process decides when it disappears from the list.
            while let stat = text(at: path), !stat.contains(") Z ") { sched_yield() }
        }
    }

    private func text(at path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    @Test(
        "A hook that is missing, a folder or not executable is an error with a next step",
        arguments: ["none", "plain", "folder"]
    )
    func missing(name: String) async throws {
        let script = try HookScript("")
        try script.home.put("echo", at: "plain")
        mkdir(script.home.path(of: "folder"), 0o755)
        let program = script.program(at: name)
        #expect(try await failure(of: program)?.code == "hook.not-started")
        #expect(throws: HookError.self) { try program.check() }
    }

    @Test("A hook without #! is run by the shell")
    func text() async throws {
        let script = try HookScript("")
        try script.home.put("exit 7", at: "text")
        chmod(script.home.path(of: "text"), 0o755)
        #expect(try await failure(of: script.program(at: "text"))?.message.hasSuffix("ended with code 7") == true)
    }

    @Test("A hook that floods its outputs is not blocked, and its first line of errors is reported")
    func floods() async throws {
        let script = try HookScript("head -c 20000000 /dev/zero; echo wrong >&2; head -c 5000000 /dev/zero >&2; exit 3")
        let failure = try await failure(of: script.program())
        #expect(failure?.code == "hook.failed")
        #expect(failure?.message.hasSuffix("ended with code 3: wrong") == true)
    }

    @Test("A hook that does not read its input has not failed")
    func deaf() async throws {
        let script = try HookScript("exit 0")
        try await script.program().call(try call(String(repeating: "x", count: 3 << 20)))
    }

    @Test("A hook is killed when its caller is cancelled")
    func cancelled() async throws {
        let script = try HookScript("echo $$ > \"$SAY\"; sleep 1000")
        let (program, call) = (script.program(), try call())
        let calling = Task { try await program.call(call) }
        let process = try await script.next()
        calling.cancel()
        await #expect(throws: CancellationError.self) { try await calling.value }
        try await expectGone(process)
    }
}
