import Glibc
import LinuxPlatform
import TestSupport
import Testing
import Workbench

@Suite("Devices with RetroArch", .timeLimit(.minutes(10)), .needs(.program("python3")))
struct RetroArchTests {
    private let desk = Machine("Desk")
    private let devices = TestSupport.TemporaryFolder()
    private let port = UInt16.random(in: 20_000..<30_000)

    private func ask(_ words: String...) async throws -> String {
        let answer = try await desk.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    /// A desk that shares RetroArch's saves, and answers devices.
    private func withDesk(_ body: () async throws -> Void) async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        mkdir(desk.home.path(of: "saves"), 0o755)
        try desk.home.put("old", at: "saves/zelda.srm")
        _ = try await ask("share", "--only-here", "saves", "--name", "retroarch")
        let on = try await ask("retroarch", "on", "--port", "\(port)", "--saves", "retroarch")
        #expect(on.contains("on at http://") && on.contains("saves in retroarch"))
        try await body()
        try await daemon.stop()
    }

    private func add(_ name: String) async throws -> String {
        mkdir(devices.path(of: name), 0o755)
        mkdir(devices.path(of: "\(name)/saves"), 0o755)
        let answer = try await ask("retroarch", "add", name)
        return String(try #require(answer.firstMatch(of: #/Password +(\w+)/#)?.1))
    }

    /// Syncs a device as RetroArch does. Returns the requests and the outcome.
    private func sync(_ name: String, _ password: String, _ flags: String...) async throws -> [String] {
        let client = "\(Repository.root)/Tests/RetroArch/client"
        var launch = ProgramLaunch(
            client,
            ["http://127.0.0.1:\(port)/", name, password, devices.path(of: name)] + flags
        )
        (launch.standardOutput, launch.standardError) = (.pipe, .pipe)
        let ended = try await ChildProcess.run(launch, deadline: .seconds(60))
        #expect(ended.status == .exited(0) || ended.status == .exited(3), "\(ended.story)")
        return ended.output.split(separator: "\n").map(String.init)
    }

    private func save(_ name: String, _ text: String) throws { try devices.put(text, at: "\(name)/saves/zelda.srm") }

    private func saved(_ name: String) -> String? { devices.text(at: "\(name)/saves/zelda.srm") }

    private func wait(for text: String) async throws {
        while desk.home.text(at: "saves/zelda.srm") != text { try await othersTurn() }
    }

    @Test("A device fetches the newest save, and its own save reaches the folder and the history under its name")
    func syncs() async throws {
        try await withDesk {
            let password = try await add("phone")
            #expect(try await ask("retroarch", "show", "phone").contains("saves/zelda.srm"))
            let first = try await sync("phone", password)
            #expect(first == ["OPTIONS / 200", "GET /manifest.server 200", "GET /saves/zelda.srm 200", "done"])
            #expect(saved("phone") == "old")
            try save("phone", "new")
            let second = try await sync("phone", password, "--digest")
            #expect(
                second == [
                    "OPTIONS / 401", "OPTIONS / 200", "GET /manifest.server 200", "MKCOL /saves 201",
                    "PUT /saves/zelda.srm 201", "PUT /manifest.server 201", "done",
                ]
            )
            try await wait(for: "new")
            #expect(try await ask("history", "retroarch").contains("saved on phone, RetroArch, by way of Desk"))
            #expect(try await ask("retroarch", "devices").contains("phone"))
            #expect(try await ask("peers").contains("RetroArch"))
            #expect(try await sync("phone", password).last == "done")
        }
    }

    @Test(
        "Two devices and a machine that saved apart are a conflict with all sides kept, which fix ends on all of them"
    )
    func conflict() async throws {
        try await withDesk {
            let (phone, tv) = (try await add("phone"), try await add("tv"))
            for (name, password) in [("phone", phone), ("tv", tv)] { _ = try await sync(name, password) }
            try save("phone", "phone's")
            #expect(try await sync("phone", phone).last == "done")
            try await wait(for: "phone's")
            try save("tv", "tv's")
            #expect(try await sync("tv", tv).last == "conflicts", "RetroArch keeps its file, and says nothing of it")
            #expect(try await ask("fix") == "no conflicts\n")
            #expect(try await sync("tv", tv).contains("PUT /saves/zelda.srm 201"), "Huddle has asked for it")
            let conflict = try await ask("fix")
            #expect(conflict.contains("saved on phone, RetroArch") && conflict.contains("saved on tv, RetroArch"))
            #expect(desk.home.text(at: "saves/zelda.srm") == "phone's")
            #expect(try await sync("phone", phone).last == "done")
            #expect(saved("phone") == "phone's" && saved("tv") == "tv's", "each has its own until the user chooses")
            let history = try await ask("history", "retroarch")
            let version = try #require(history.firstMatch(of: #/@(\S+)[^\n]*saved on tv, RetroArch/#)?.1)
            _ = try await ask("fix", "retroarch", "--keep", "@\(version)")
            try await wait(for: "tv's")
            for (name, password) in [("phone", phone), ("tv", tv)] {
                #expect(try await sync(name, password).last == "done")
                #expect(saved(name) == "tv's")
            }
        }
    }

    @Test("A deletion on a device is one everywhere, and the deleted save stays in the history")
    func deletes() async throws {
        try await withDesk {
            let password = try await add("phone")
            try desk.home.put("other", at: "saves/other.srm")
            _ = try await ask("scan", "retroarch")
            _ = try await sync("phone", password)
            unlink(devices.path(of: "phone/saves/zelda.srm"))
            #expect(try await sync("phone", password).contains { $0.hasPrefix("MOVE /saves/zelda.srm 20") })
            while desk.home.text(at: "saves/zelda.srm") != nil { try await othersTurn() }
            #expect(desk.home.text(at: "saves/other.srm") == "other")
        }
    }

    @Test("A sync that is cut off loses nothing, and a blocked or unknown device gets nothing")
    func cutAndBlocked() async throws {
        try await withDesk {
            let password = try await add("phone")
            _ = try await sync("phone", password)
            try save("phone", "new")
            _ = try await sync("phone", password, "--cut-after", "4")
            #expect(try await sync("phone", password).last == "done")
            try await wait(for: "new")
            #expect(try await sync("phone", "wrong") == ["OPTIONS / 401", "OPTIONS / 401", "failures"])
            _ = try await ask("retroarch", "block", "phone")
            #expect(try await sync("phone", password).last == "failures")
            _ = try await ask("retroarch", "unblock", "phone")
            #expect(try await sync("phone", password).last == "done")
            _ = try await ask("retroarch", "remove", "phone")
            #expect(try await sync("phone", password).last == "failures")
            _ = try await ask("retroarch", "off")
            #expect(try await ask("retroarch").contains("off"))
        }
    }
}
