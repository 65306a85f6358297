import Control
import FoundationEssentials
import Glibc
import Household
import Ledger
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("A machine with the daemon", .timeLimit(.minutes(10)))
struct DaemonTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    @Test("Two daemons pair and send each other messages and files")
    func daemons() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        let message = try await deck.huddle("msg", "Desk", "dinner", "is", "ready")
        #expect(message.status == .exited(0), "\(message.story)")
        let events = try await desk.control().events(Endpoint.events.request())
        try deck.home.put("a save", at: "castle.save")
        let sending = try await deck.huddle("send", "Desk", "castle.save")
        #expect(sending.status == .exited(0), "\(sending.story)")
        #expect(sending.output == "castle.save (6 B) is with Desk\n")
        #expect(desk.home.text(at: "Downloads/castle.save") == "a save")
        // The sender learns of the storing first. The list has the file a moment later, before the event.
        while let line = try await events.next(), line.name != "received" {}
        let list = try await desk.huddle("inbox", "--list").output
        #expect(list.contains("dinner is ready") && list.contains("Downloads/castle.save"))
        try await first.stop()
        try await second.stop()
    }

    @Test("The daemon counts links, bytes, transfers and failed handshakes")
    func numbers() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        #expect(try await desk.metric("huddle_links_accepted_total") == 0)
        try await desk.meets(deck, at: daemon)
        #expect(try await desk.metric("huddle_links_accepted_total") == 1)
        #expect(try await desk.metric("huddle_peers_known") == 1)
        #expect(try await desk.metric("huddle_sent_bytes_total{kind=\"control\"}") > 0)
        try deck.home.put(String(repeating: "a save ", count: 100_000), at: "castle.save")
        let sending = try await deck.huddle("send", "Desk", "castle.save")
        #expect(sending.status == .exited(0), "\(sending.story)")
        #expect(try await desk.metric("huddle_transfers_done_total{direction=\"in\"}") == 1)
        #expect(try await desk.metric("huddle_transfers_running{direction=\"in\"}") == 0)
        #expect(try await desk.metric("huddle_received_bytes_total{kind=\"resources\"}") >= 700_000)
        #expect(try await desk.metric("huddle_received_bytes_total{kind=\"resources\"}") < 800_000)
        try await desk.awaits("huddle_channels{kind=\"resources\"}") { $0 == 0 }
        // The handshake ends when the visitor has gone, which the daemon notices by itself.
        _ = try await deck.huddle("browse", "--peer", daemon.address, "--for", "1s", "--lines")
        try await desk.awaits("huddle_handshakes_failed_total") { $0 > 0 }
        try await daemon.stop()
    }

    @Test("A machine that can't be reached has an exit code of its own, and JSON has no sentences")
    func unreachable() async throws {
        let (daemon, other) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: daemon)
        try await other.stop()
        try desk.home.put("x", at: "save")
        let refused = try await desk.huddle("send", "Deck", "save", "--wait", "0s")
        #expect(refused.status == .exited(4), "\(refused.story)")
        let peers = try await desk.huddle("peers", "--json")
        #expect(peers.output.contains("\"name\":\"Deck\"") && !peers.output.contains("sentence"))
        try await daemon.stop()
    }

    @Test(
        "Without a daemon every command of the household ends with 30, says how to start one, and makes no files",
        arguments: [
            ["status"], ["events"], ["peers"], ["inbox", "--list"], ["invite", "Deck"], ["accept", "Deck", "482913"],
            ["decline", "Deck"], ["send", "Deck", "/etc/hostname"], ["msg", "Deck", "hello"], ["pipe", "Deck"],
            ["pipe", "--receive", "log"], ["bench", "Deck"], ["policy"], ["policy", "--set", "ask"], ["block", "Deck"],
            ["unblock", "Deck"], ["forget", "Deck"], ["log"], ["identity"], ["identity", "--set-name", "Attic"],
            ["list"], ["history"], ["restore", "a@1"], ["fix"], ["fix", "a", "--keep", "Deck"],
            ["fsck"], [], ["pair"], ["share", "a"], ["join"], ["stop", "a"], ["undo", "a"], ["mark", "a", "b"],
            ["wait"], ["open"],
            ["play", "a", "--", "true"], ["config", "show"], ["names", "machines"],
        ]
    )
    func missing(_ words: [String]) async throws {
        let ended = try await desk.huddle(words)
        #expect(ended.status == .exited(30), "\(ended.story)")
        let lines = ended.standardError.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("error: no huddled runs here: "), "\(ended.story)")
        #expect(lines.last?.hasPrefix("hint: start it with `") == true, "\(ended.story)")
        #expect(ended.output.isEmpty && desk.home.names().isEmpty, "\(ended.story)")
    }

    @Test("The status shows the daemon, and says how to start it once it has ended")
    func status() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let status = try await desk.huddle("status")
        #expect(status.status == .exited(0))
        #expect(status.output.hasPrefix("Desk ("))
        #expect(status.output.contains("huddled, process \(daemon.program.identifier), since "))
        try await daemon.stop()
        #expect(!desk.home.names().contains(".local/state/huddle/control"))
        #expect(try await desk.huddle("status").status == .exited(30))
    }

    @Test("A relative state folder counts from the working directory")
    func folderFromHere() async throws {
        let daemon = try await RunningDaemon.start(on: desk, "--state", "./elsewhere", "--into", "in")
        let status = try await desk.huddle("status", "--json", "--state", "elsewhere")
        #expect(status.status == .exited(0) && status.output.contains("\"\(desk.home.path)/in\""), "\(status.story)")
        let shared = try await desk.huddle("list", "--state", "elsewhere")
        #expect(shared.status == .exited(0), "\(shared.story)")
        try await daemon.stop()
    }

    @Test("A second daemon ends and names the one that runs")
    func second() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let second = try desk.startDaemon(["--no-advertise", "--no-browse"])
        let ended = try await second.complete(outputLimit: 1 << 16, deadline: .seconds(20))
        #expect(ended.status == .exited(1))
        #expect(ended.standardError.text.contains("huddled, process \(daemon.program.identifier), since"))
        try await daemon.stop()
    }

    @Test("SIGHUP reloads the settings in the same process")
    func reload() async throws {
        let machine = Machine("")
        try machine.put(configuration: "{ name: 'Attic' }")
        let daemon = try await RunningDaemon.start(on: machine)
        #expect(try await machine.huddle("status").output.hasPrefix("Attic ("))
        let events = try await machine.control().events(Endpoint.events.request())
        #expect(try await events.next()?.name == "ready")
        let began = try await machine.control().events(Endpoint.status.request()).next()?.status?.since
        while WallTime.now.secondsSince1970 <= began ?? 0 { try await othersTurn() }
        try machine.put(configuration: "{\n  // moved\n  name: 'Cellar',\n}")
        daemon.program.send(SIGHUP)
        // It ends its running work, and clients that follow events see the end.
        while (try? await events.next()) != nil {}
        var status = try await machine.huddle("status")
        while status.status != .exited(0) { status = try await machine.huddle("status") }
        #expect(status.output.hasPrefix("Cellar ("))
        #expect(status.output.contains("process \(daemon.program.identifier),"))
        let since = try await machine.control().events(Endpoint.status.request()).next()?.status?.since
        #expect(since == began && began != nil, "the program runs since then")
        try await daemon.stop()
    }

    @Test("SIGHUP with faulty settings changes nothing and is reported")
    func mistypedReload() async throws {
        let machine = Machine("")
        try machine.put(configuration: "{ name: 'Attic' }")
        let daemon = try await RunningDaemon.start(on: machine)
        try machine.put(configuration: "{ nmae: 'Cellar' }")
        daemon.program.send(SIGHUP)
        var log = try #require(daemon.program.standardError).lines().makeAsyncIterator()
        while let line = try await log.next(), !line.contains("continuing with the settings") {}
        #expect(try await machine.huddle("status").output.hasPrefix("Attic ("))
        try await daemon.stop()
    }

    @Test("SIGHUP with settings that can't work changes nothing and is reported")
    func impossibleReload() async throws {
        let machine = Machine("")
        try machine.put(configuration: "{ name: 'Attic' }")
        try machine.home.put("", at: "file")
        let (daemon, other) = (try await RunningDaemon.start(on: machine), try await RunningDaemon.start(on: deck))
        let events = try await machine.events()
        var log = try #require(daemon.program.standardError).lines().makeAsyncIterator()
        let taken = try #require(other.address.split(separator: ":").last)
        for impossible in ["inbox: '~/file/inbox'", "port: \(taken)"] {
            try machine.put(configuration: "{ name: 'Cellar', \(impossible) }")
            daemon.program.send(SIGHUP)
            var fault: String?
            while let line = try await log.next(), !line.contains("continuing with the settings") { fault = line }
            #expect(fault?.hasPrefix("huddled: error: ") == true, "\(impossible)")
            #expect(try await machine.huddle("status").output.hasPrefix("Attic ("))
        }
        // The port that the daemon has already does not count as taken.
        let own = try #require(daemon.address.split(separator: ":").last)
        try machine.put(configuration: "{ name: 'Cellar', port: \(own) }")
        daemon.program.send(SIGHUP)
        // No connection has ended until now.
        while (try? await events.next()) != nil {}
        while let line = try await log.next(), !line.contains("listening on port \(own)") {}
        #expect(try await machine.huddle("status").output.hasPrefix("Cellar ("))
        try await daemon.stop()
        try await other.stop()
    }

    @Test("The daemon lists its settings with their sources, also options")
    func settings() async throws {
        let machine = Machine("")
        try machine.put(configuration: "{ name: 'Attic', advertise: true }")
        let daemon = try await RunningDaemon.start(on: machine, "--hook-seconds", "5", "--notifications", "no")
        let shown = try await machine.huddle("config", "show").output
        #expect(shown.contains(#/(?m)^name +Attic +file .*config\.json5$/#), "\(shown)")
        #expect(shown.contains(#/(?m)^address +127\.0\.0\.1 +option --address$/#), "\(shown)")
        #expect(shown.contains(#/(?m)^advertise +false +option --no-advertise$/#), "\(shown)")
        #expect(shown.contains(#/(?m)^hookSeconds +5 +option --hook-seconds$/#), "\(shown)")
        #expect(shown.contains(#/(?m)^notifications +false +option --notifications$/#), "\(shown)")
        #expect(shown.contains(#/(?m)^port +as last time +default$/#), "\(shown)")
        try await daemon.stop()
    }

    @Test("The daemon refuses to start with faulty settings, and names the place and a correction")
    func wrongConfiguration() async throws {
        try desk.put(configuration: "{\n  // where\n  prot: 4242,\n}")
        let ended = try await desk.startDaemon([]).complete(outputLimit: 1 << 16, deadline: .seconds(20))
        #expect(ended.status == .exited(78))
        #expect(ended.standardError.text.contains("there is no setting “prot”; did you mean “port”?"))
    }

    @Test("The daemon reports to systemd when it is ready and its socket answers")
    func readiness() async throws {
        let manager = try NotifySocket(at: desk.home.path(of: "notify"))
        let daemon = try desk.startDaemon(
            ["--address", "127.0.0.1", "--no-advertise", "--no-browse"],
            environment: ["NOTIFY_SOCKET": manager.path]
        )
        #expect(try await manager.next().hasPrefix("READY=1\nSTATUS=this machine is “Desk”"))
        #expect(try await desk.huddle("status").status == .exited(0))
        daemon.send(SIGTERM)
        #expect(try await manager.next() == "STOPPING=1")
        #expect(try await daemon.wait() == .exited(0))
    }

    @Test("No thread of an idle daemon wakes up, also with a shared game")
    func idle() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        for folder in ["game", "game/slots"] { mkdir(desk.home.path(of: folder), 0o755) }
        for file in ["one", "two", "slots/three"] { try desk.home.put("chapter 1\n", at: "game/\(file)") }
        let added = try await desk.huddle("share", "--only-here", "game", "--name", "celeste")
        #expect(added.status == .exited(0) && added.output.contains("1 version"), "\(added.story)")
        var before = -1
        // The rest of the start takes a moment, and five seconds later memory is released. A daemon with a regular
        // timer would never be this quiet.
        while true {
            let now = try switches(of: daemon.program.identifier)
            if now == before { break }
            before = now
            // because silence can only be seen by waiting
            try await EventLoop.shared.sleep(for: .seconds(7))
        }
        try await daemon.stop()
    }

    /// The number of times that the threads of a program got a processor.
    private func switches(of process: CInt) throws -> Int {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return tasks.reduce(0) { sum, task in
            // A thread with a short task may have ended meanwhile.
            let path = "/proc/\(process)/task/\(task)/status"
            guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return sum }
            let lines = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
            return sum + lines.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
        }
    }
}

extension Machine {
    /// One of the counters of its daemon.
    func metric(_ name: String) async throws -> Int {
        let response = try await control().ask(Endpoint.metrics.request())
        var bytes: [UInt8] = []
        switch response.body {
        case .bytes(let all): bytes = all
        case .stream(let source): while let more = try await source() { bytes += more }
        }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return try #require(Int(line?.split(separator: " ").last ?? ""), "\(name)")
    }

    /// Asks again until the counter has the value. The limit of the test ends this.
    func awaits(_ name: String, _ isWanted: (Int) -> Bool) async throws {
        var value = try await metric(name)
        while !isWanted(value) { value = try await metric(name) }
    }

    func put(configuration text: String) throws {
        mkdir(home.path(of: ".config"), 0o755)
        mkdir(home.path(of: ".config/huddle"), 0o755)
        try home.put(text, at: ".config/huddle/config.json5")
    }
}
