import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import TestSupport
import Testing

@Suite("The command huddle doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    struct Finding: Decodable {
        let event: String
        let check: String
        let state: String
        let message: String
        let explanation: String?
        let commands: [String]?
    }

    private let desk = Machine("Desk")

    private func doctor() async throws -> (program: CompletedProgram, findings: [Finding]) {
        let program = try await desk.huddle("doctor", "--json", within: .seconds(60))
        let lines = program.output.split(separator: "\n")
        return (program, try lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) })
    }

    @Test("Without a daemon the doctor says how to start one, and makes no files")
    func noDaemon() async throws {
        let (program, findings) = try await doctor()
        #expect(program.status == .exited(25), "\(program.story)")
        #expect(findings.allSatisfy { $0.event == "finding" })
        let daemon = try #require(findings.first { $0.check == "daemon" })
        #expect(daemon.state == "fault" && daemon.commands?.isEmpty == false)
        #expect(findings.contains { $0.check == "files" && $0.state == "ok" })
        #expect(desk.home.names().isEmpty, "\(desk.home.names())")
    }

    @Test("The doctor finds the daemon, its peers, blocks and files that others can read")
    func daemon() async throws {
        let deck = Machine("Deck")
        let daemon = try await RunningDaemon.start(on: desk)
        try await desk.meets(deck, at: daemon)
        #expect(try await desk.huddle("block", "Deck").status == .exited(0))
        chmod(desk.home.path(of: ".local/state/huddle/identity.pem"), 0o644)
        let (_, findings) = try await doctor()
        #expect(findings.filter { $0.check == "daemon" }.map(\.state) == ["ok"])
        #expect(findings.filter { $0.check == "version" }.map(\.state) == ["ok"])
        let blocked = try #require(findings.first { $0.check == "peers" })
        #expect(blocked.message.hasPrefix("Deck (") && blocked.commands?.first?.hasPrefix("huddle unblock ") == true)
        let key = try #require(findings.first { $0.check == "files" })
        #expect(key.state == "fault" && key.commands?.first?.hasPrefix("chmod 600 ") == true)
        try await daemon.stop()
    }

    @Test("The doctor finds daemons of other versions, here and on another machine")
    func versions() async throws {
        let deck = Machine("Deck")
        let daemon = try await RunningDaemon.start(on: desk, environment: ["HUDDLE_RELEASE": "0.0.7"])
        let there = try await RunningDaemon.start(on: deck)
        try await desk.meets(deck, at: daemon)
        let (_, findings) = try await doctor()
        let here = try #require(findings.first { $0.check == "version" })
        #expect(here.state == "fault" && here.message == "huddle is \(Release.version) and huddled is 0.0.7")
        #expect(here.commands?.isEmpty == false)
        let seen = try await deck.huddle("doctor", within: .seconds(60)).output
        #expect(seen.contains(#/warning +version +Desk .*runs huddle 0\.0\.7, and this machine/#), "\(seen)")
        try await daemon.stop()
        try await there.stop()
    }

    @Test("The doctor finds a daemon that hangs")
    func silence() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        daemon.program.send(SIGSTOP)
        let (program, findings) = try await doctor()
        daemon.program.send(SIGCONT)
        #expect(program.status == .exited(25))
        let found = try #require(findings.first { $0.check == "daemon" })
        #expect(found.message.contains("process \(daemon.program.identifier)"), "\(found.message)")
        try await daemon.stop()
    }

    @Test("An interrupted doctor reports no unfinished check")
    func interrupted() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        // This makes the check take its full time.
        daemon.program.send(SIGSTOP)
        let doctor = try desk.start("doctor")
        while try !doctor.takesSignals { try await othersTurn() }
        doctor.send(SIGINT)
        let ended = try await doctor.complete(outputLimit: 1 << 20, deadline: .seconds(60))
        daemon.program.send(SIGCONT)
        #expect(ended.status == .exited(130) && ended.output.isEmpty, "\(ended.story)")
        try await daemon.stop()
    }

    @Test("The doctor finds faulty settings")
    func settings() async throws {
        try desk.put(configuration: "{ prot: 4242 }")
        let (_, findings) = try await doctor()
        let settings = try #require(findings.first { $0.check == "settings" })
        #expect(settings.message.contains("did you mean “port”?") && settings.commands?.first == "huddle config check")
    }

    @Test(
        "Under sudo the doctor checks the user's Huddle, and no file becomes root's",
        .enabled(if: geteuid() == 0)
    )
    func sudo() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let noUser = ["SUDO_UID": "65534"]
        let program = try await desk.huddle(["doctor", "--all"], within: .seconds(60), environment: noUser)
        #expect(program.output.contains("no files exist yet"), "\(program.story)")
        #expect(program.output.contains("no huddled runs here"), "\(program.story)")
        #expect(!program.story.contains("chown") && !program.story.contains(desk.home.path), "\(program.story)")
        try await daemon.stop()
    }

    @Test("The doctor prints faults first, and passed checks with --all")
    func order() async throws {
        let lines = try await desk.huddle("doctor", "--all", within: .seconds(60)).output.split(separator: "\n")
        let grades = lines.compactMap { $0.firstMatch(of: #/^(fault|warning|ok) /#).map { String($0.1) } }
        let order = ["fault", "warning", "ok"]
        #expect(grades.first == "fault" && grades.last == "ok", "\(grades)")
        let places = grades.compactMap { order.firstIndex(of: $0) }
        #expect(places == places.sorted(), "\(grades)")
        let short = try await desk.huddle("doctor", within: .seconds(60)).output
        #expect(
            !short.contains(#/(^|\n)ok /#) && short.contains(#/\d+ checks passed: huddle doctor --all/#),
            "\(short)"
        )
    }

    @Test("The doctor prints a line for each check, and commands for each fault")
    func words() async throws {
        let program = try await desk.huddle("doctor", within: .seconds(60))
        #expect(program.output.hasPrefix("fault    daemon      no huddled runs here\n"), "\(program.story)")
        #expect(program.output.contains("\n                     → "))
        #expect(program.output.contains("if two machines don't find each other, run it on the other one, too\n"))
        #expect(!program.output.contains("fe80:"), "\(program.story)")
    }
}
