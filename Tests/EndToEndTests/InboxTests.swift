import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("The command huddle inbox", .timeLimit(.minutes(10)))
struct InboxTests {
    private static let alone = ["--address", "127.0.0.1", "--no-advertise", "--no-browse"]
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    @Test("Without a daemon the inbox starts one with the typed options, and ends it in order")
    func ownDaemon() async throws {
        let inbox = try desk.start(
            ["inbox", "--json", "--into", "here", "--name", "Attic", "--interface", "lo", "--interface", "eth*"]
                + Self.alone
        )
        var lines = try #require(inbox.standardOutput).lines().makeAsyncIterator()
        let ready = try #require(try await lines.next())
        #expect(ready.contains(#""event":"ready""#) && ready.contains(#""name":"Attic""#), "\(ready)")
        #expect(ready.contains("\(desk.home.path)/here"), "\(ready)")
        let settings = try await desk.huddle("config", "show").output
        #expect(settings.contains(#/(?m)^interfaces +lo, eth\* +option --interface$/#), "\(settings)")
        inbox.send(SIGINT)
        #expect(try await inbox.wait() == .exited(0))
        #expect(try await desk.huddle("status").status == .exited(30))
    }

    @Test("A killed inbox leaves no daemon behind")
    func killed() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        #expect(try await desk.huddle("status").status == .exited(0))
        try await inbox.kill()
        while try await desk.huddle("status").status != .exited(30) {}
    }

    @Test("The inbox ends with its daemon and prints its last error")
    func daemonEnds() async throws {
        try desk.put(configuration: "{ prot: 4242 }")
        let refused = try await desk.huddle("inbox")
        #expect(refused.status == .exited(1), "\(refused.story)")
        #expect(refused.standardError.text.contains("did you mean “port”?"), "\(refused.story)")
        try desk.put(configuration: "{}")
        let inbox = try await RunningInbox.start(on: desk)
        let status = try await desk.huddle("status").output
        let daemon = try #require(status.firstMatch(of: #/process (\d+)/#).flatMap { pid_t($0.1) })
        kill(daemon, SIGKILL)
        #expect(try await inbox.program.wait() == .exited(1))
    }

    @Test("The inbox follows a running daemon, which continues, and refuses options for it")
    func followed() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let refused = try await desk.huddle("inbox", "--port", "4242", "--into", "here")
        #expect(refused.status == .exited(2), "\(refused.story)")
        #expect(refused.standardError.text.contains("--into, --port can't be chosen here"), "\(refused.story)")
        #expect(refused.standardError.text.contains("huddle config show"), "\(refused.story)")
        let followed = try await desk.huddle("inbox", "--for", "100ms")
        #expect(followed.status == .exited(0), "\(followed.story)")
        #expect(followed.output.contains("this machine is “Desk”"), "\(followed.story)")
        #expect(try await desk.huddle("status").status == .exited(0))
        try await daemon.stop()
    }

    @Test("The inbox shows messages and files that its daemon receives")
    func received() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        try deck.home.put("a save", at: "save.dat")
        #expect(try await deck.huddle("send", "Desk", "save.dat").status == .exited(0))
        #expect(try await inbox.next("received").path == desk.home.path(of: "Downloads/save.dat"))
        try await inbox.stop()
        #expect(desk.home.text(at: "Downloads/save.dat") == "a save")
    }
}
