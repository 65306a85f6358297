import Control
import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import Session
import Synchronization
import TestSupport
import Testing
import Workbench

@Suite("The daemon under systemd", .timeLimit(.minutes(10)))
struct ServiceTests {
    private static let alone = ["--address", "127.0.0.1", "--no-advertise", "--no-browse"]
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    @Test("The daemon reports to the watchdog of systemd again and again")
    func watchdog() async throws {
        let manager = try NotifySocket(at: desk.home.path(of: "notify"))
        let daemon = try desk.startDaemon(
            Self.alone,
            environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"]
        )
        var heard: [String] = []
        while heard.count < 4 { heard.append(try await manager.next()) }
        #expect(heard.filter { $0 == "WATCHDOG=1" }.count == 3 && heard.contains { $0.hasPrefix("READY=1\n") })
        // A stopped daemon reports nothing.
        daemon.send(SIGSTOP)
        while try manager.hasMore { _ = try await manager.next() }
        // because silence can only be seen by waiting
        try await EventLoop.shared.sleep(for: .seconds(1))
        #expect(try !manager.hasMore)
        daemon.send(SIGCONT)
        daemon.send(SIGTERM)
        #expect(try await daemon.wait() == .exited(0))
    }

    @Test("The daemon starts, answers and ends though its log is not read", .timeLimit(.minutes(2)))
    func unreadLog() async throws {
        let manager = try NotifySocket(at: desk.home.path(of: "notify"))
        let unread = try FullPipe()
        let daemon = try desk.startDaemon(
            Self.alone,
            environment: ["NOTIFY_SOCKET": manager.path],
            after: "exec 2>&0 </dev/null",
            reading: .descriptor(unread.input)
        )
        #expect(try await manager.next().hasPrefix("READY=1\n"))
        #expect(try await desk.huddle("status").status == .exited(0))
        daemon.send(SIGTERM)
        #expect(try await daemon.wait() == .exited(0))
    }

    @Test("The daemon answers at systemd's socket, also earlier requests, and leaves it open")
    func socketOfAnother() async throws {
        for folder in [".local", ".local/state", ".local/state/huddle"] { mkdir(desk.home.path(of: folder), 0o700) }
        let path = desk.home.path(of: ".local/state/huddle/control")
        let socket = try UnixSocket.listen(at: path)
        let early = try UnixSocket.connect(to: path, on: .shared)
        try await early.send(Array("GET /v1/status HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8))
        for round in 1...2 {
            let daemon = try desk.startDaemon(
                Self.alone,
                after: "exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_PID=$$",
                reading: .descriptor(socket.number)
            )
            if round == 1 {
                let answer = String(decoding: try await early.receive(upTo: 4096), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
            }
            let status = try await desk.huddle("status")
            #expect(status.output.contains("process \(daemon.identifier),"), "\(status.story)")
            daemon.send(SIGTERM)
            #expect(try await daemon.wait() == .exited(0))
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test("The daemon ends within its unit's limit during a transfer, and shows no part of the file")
    func stopUnderWay() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        try await desk.meets(deck, at: daemon)
        // A sparse file, so large that its transfer runs until the test ends it.
        try retrying("truncate") {
            let file = open(deck.home.path(of: "film"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(file) }
            return ftruncate(file, 8 << 30)
        }
        let sending = try deck.start("send", "Desk", "film")
        try await desk.awaits("huddle_transfers_running{direction=\"in\"}") { $0 > 0 }
        let unit = try String(contentsOfFile: "\(Repository.root)/systemd/huddled.service", encoding: .utf8)
        let limit = try #require(unit.firstMatch(of: #/(?m)^TimeoutStopSec=(\d+)$/#).flatMap { Int($0.1) })
        let asked = ContinuousClock.now
        daemon.program.send(SIGTERM)
        #expect(try await daemon.program.wait() == .exited(0))
        #expect(ContinuousClock.now - asked < .seconds(limit))
        #expect(desk.home.text(at: "Downloads/film") == nil)
        sending.send(SIGKILL)
        _ = try await sending.wait()
    }

    @Test("The log has no contents of messages and files, no codes and no keys")
    func lines() async throws {
        let log = Mutex("")
        let secrets = try await lifeWithSecrets {
            try desk.startDaemon(Self.alone)
        } reading: { daemon in
            var lines = try #require(daemon.standardError).lines().makeAsyncIterator()
            while let line = try await lines.next() { log.withLock { $0 += line + "\n" } }
        }
        let written = log.withLock { $0 }
        #expect(written.contains("Deck") && written.contains("sent a message"), "\(written)")
        for secret in secrets { #expect(!written.contains(secret), "“\(secret)” in\n\(written)") }
    }

    @Test(
        "The journal gets fields, and no contents of messages and files, codes or keys",
        .enabled("needs root, for a journal of its own") { geteuid() == 0 }
    )
    func journal() async throws {
        mkdir(desk.home.path(of: "journal"), 0o755)
        let journal = try NotifySocket(at: desk.home.path(of: "journal/socket"))
        // A namespace of its own, in which that socket has the path of the journal's one.
        let prepare = """
            mount -t tmpfs none /run && mkdir -p /run/systemd/journal && mount --bind '\(desk.home.path)/journal' \
            /run/systemd/journal && JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) && export JOURNAL_STREAM
            """
        let entries = Mutex<[String]>([])
        let secrets = try await lifeWithSecrets {
            try desk.startDaemon(Self.alone, after: prepare, apart: ["--mount"])
        } reading: { _ in
            while entries.withLock({ $0.last?.contains("ended in order") != true }) {
                let entry = try await journal.next()
                entries.withLock { $0.append(entry) }
            }
        }
        let written = entries.withLock { $0 }
        let names = ["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "HUDDLE_EVENT", "HUDDLE_PEER", "HUDDLE_CODE"]
        for entry in written {
            let fields = entry.split(separator: "\n").map { $0.prefix { $0 != "=" } }
            #expect(fields.map(String.init) == names, "\(entry)")
            #expect(entry.contains("\nSYSLOG_IDENTIFIER=huddled\n"))
        }
        #expect(written.contains { $0.contains("HUDDLE_EVENT=ready\n") })
        let message = try #require(written.first { $0.contains("HUDDLE_EVENT=message\n") })
        #expect(message.contains(#/HUDDLE_PEER=[a-z0-9-]{40,}\n/#) && message.contains("PRIORITY=6"), "\(message)")
        for secret in secrets { #expect(!written.contains { $0.contains(secret) }, "“\(secret)” in\n\(written)") }
    }

    /// Runs a daemon that pairs with a machine, receives a message and a file, keeps a save, and ends. Returns the
    /// texts that its log must not have.
    private func lifeWithSecrets(
        _ start: () throws -> ChildProcess,
        reading: @escaping @Sendable (ChildProcess) async throws -> Void
    ) async throws -> [String] {
        let daemon = try start()
        let log = Task { try await reading(daemon) }
        var status = try await desk.huddle("status", "--json")
        while status.status != .exited(0) { status = try await desk.huddle("status", "--json") }
        let port = try #require(status.output.firstMatch(of: #/"port":(\d+)/#)?.1)
        let events = try await desk.events()
        let inviting = try await deck.invites("127.0.0.1:\(port)")
        while let line = try await events.next(), line.name != "invited" {}
        let digits = inviting.code
        let accepted = try await desk.huddle("accept", "Deck", digits)
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        #expect(try await inviting.end().status == .exited(0))
        #expect(try await deck.huddle("msg", "Desk", "quokka-in-a-message").status == .exited(0))
        try deck.home.put("quokka-in-a-file", at: "note")
        #expect(try await deck.huddle("send", "Desk", "note").status == .exited(0))
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put("{\"score\": \"quokka-in-a-save\"}", at: "game/save.json")
        let added = try await desk.huddle("share", "--only-here", "game", "--name", "celeste")
        #expect(added.status == .exited(0), "\(added.story)")
        daemon.send(SIGTERM)
        #expect(try await daemon.wait() == .exited(0))
        try await log.value
        let key = try #require(desk.home.text(at: ".local/state/huddle/identity.pem"))
        let lines = key.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map(String.init)
        #expect(!lines.isEmpty)
        return ["quokka", digits, "\(digits.prefix(3)) \(digits.suffix(3))", "PRIVATE"] + lines
    }
}
