import Control
import Glibc
import Household
import LinuxPlatform
import TestSupport
import Testing

@Suite("Files and messages between machines", .timeLimit(.minutes(10)))
struct SendingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    @Test("A file and a folder arrive in the inbox beside those of the same name, and are listed")
    func filesAndFolders() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        try deck.home.put("a save", at: "save.dat")
        mkdir(deck.home.path(of: "saves"), 0o755)
        try deck.home.put("one", at: "saves/1")
        for _ in 0..<2 {
            let sending = try await deck.huddle("send", "Desk", "save.dat", "saves")
            #expect(sending.status == .exited(0), "\(sending.story)")
        }
        #expect(desk.home.text(at: "Downloads/save.dat") == "a save")
        #expect(desk.home.text(at: "Downloads/save (2).dat") == "a save")
        #expect(desk.home.text(at: "Downloads/saves/1") == "one")
        #expect(desk.home.text(at: "Downloads/saves (2)/1") == "one")
        for _ in 0..<4 { _ = try await inbox.next("received") }
        let list = try await desk.huddle("inbox", "--list").output.split(separator: "\n")
        #expect(list.count == 4)
        #expect(list.allSatisfy { $0.hasPrefix("* ") && $0.contains("Deck") })
        #expect(try await desk.huddle("inbox", "--list").output.contains("* ") == false)
        try await inbox.stop()
    }

    @Test("A file arrives whole after a kill and a restart of the receiver")
    func receiverIsKilled() async throws {
        var daemon = try await RunningDaemon.start(on: desk)
        try await desk.meets(deck, at: daemon)
        let port = String(try #require(daemon.address.split(separator: ":").last))
        var random = SeededGenerator(seed: 7)
        // The file is so large that its transfer takes some time on any machine.
        let content = (0..<(48 << 17)).map { _ in UInt64.random(in: 0...(.max), using: &random) }
        try deck.home.put(content, at: "film")
        let events = try await desk.events()
        async let sending = deck.huddle("send", "Desk", "film", within: .seconds(90))
        while let line = try await events.next(), line.name != "joined" {}
        daemon.program.send(SIGKILL)
        _ = try await daemon.program.wait()
        daemon = try await RunningDaemon.start(on: desk, "--port", port)
        let outcome = try await sending
        #expect(outcome.status == .exited(0), "\(outcome.story)")
        #expect(try desk.home.words(at: "Downloads/film") == content)
        // The sender learns of the storing first. The list has the file a moment later.
        while try await !desk.huddle("inbox", "--list", "--json").output.contains("\"bytes\":\(content.count * 8),") {}
        try await daemon.stop()
    }

    @Test("One command sends a file to two machines")
    func twoReceivers() async throws {
        let living = Machine("Living room")
        let (first, second) = (try await RunningInbox.start(on: desk), try await RunningInbox.start(on: living))
        try await meet(deck, first, of: desk)
        try await meet(deck, second, of: living)
        try deck.home.put("for both", at: "note")
        let sending = try await deck.huddle("send", "Desk", "note", "--also", "living room")
        #expect(sending.status == .exited(0), "\(sending.story)")
        for machine in [desk, living] { #expect(machine.home.text(at: "Downloads/note") == "for both") }
        try await first.stop()
        try await second.stop()
    }

    @Test("Parts of a folder that can't be sent are named, and left out on demand")
    func unsendable() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        mkdir(deck.home.path(of: "saves"), 0o755)
        try deck.home.put("one", at: "saves/1")
        mkfifo(deck.home.path(of: "saves/pipe"), 0o600)
        let refused = try await deck.huddle("send", "Desk", "saves")
        #expect(refused.status != .exited(0))
        #expect(refused.standardError.text.contains("saves/pipe") && refused.standardError.text.contains("--leave-out"))
        let sending = try await deck.huddle("send", "Desk", "saves", "--leave-out")
        #expect(sending.status == .exited(0), "\(sending.story)")
        #expect(sending.output.contains("left out, because it can't be sent (1):\n"))
        #expect(sending.output.contains("/saves/pipe\n"))
        #expect(sending.output.contains("saves (3 B) is with Desk"), "\(sending.story)")
        #expect(try await inbox.next("received").bytes == 3)
        #expect(desk.home.text(at: "Downloads/saves/1") == "one")
        try await inbox.stop()
    }

    @Test("A missing file is named before the command asks for a code")
    func missingFile() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try deck.home.put("x", at: "save")
        try await deck.isThere()
        let sending = try await deck.huddle("send", await inbox.address, "save", "nofile")
        #expect(sending.status == .exited(16), "\(sending.story)")
        #expect(sending.story.contains("nofile") && !sending.story.contains("Type this code"), "\(sending.story)")
        #expect(try await !desk.huddle("log").output.contains("asked"))
        try await inbox.stop()
    }

    @Test("A second Ctrl-C ends an inbox at once that waits for a transfer")
    func secondInterrupt() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        // A sparse file, so large that its transfer runs until the test ends it.
        try retrying("truncate") {
            let file = open(deck.home.path(of: "film"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(file) }
            return ftruncate(file, 8 << 30)
        }
        let sending = try deck.start("send", "Desk", "film")
        _ = try await inbox.next("progress")
        inbox.program.send(SIGINT)
        var words = try #require(inbox.program.standardError).lines().makeAsyncIterator()
        while let line = try await words.next(), !line.contains("under way may finish") {}
        let asked = ContinuousClock.now
        try await inbox.stop()
        #expect(ContinuousClock.now - asked < .seconds(3))
        sending.send(SIGKILL)
        _ = try await sending.wait()
    }

    @Test("A removed inbox is made again, and if that fails, the sender learns why")
    func inboxIsGone() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        try deck.home.put("x", at: "file")
        #expect(rmdir(desk.home.path(of: "Downloads")) == 0)
        let sending = try await deck.huddle("send", "Desk", "file")
        #expect(sending.status == .exited(0), "\(sending.story)")
        #expect(desk.home.text(at: "Downloads/file") == "x")
        #expect(unlink(desk.home.path(of: "Downloads/file")) == 0)
        #expect(rmdir(desk.home.path(of: "Downloads")) == 0)
        try desk.home.put("in the way", at: "Downloads")
        let again = try await deck.huddle("send", "Desk", "file")
        #expect(again.status == .exited(16), "\(again.story)")
        #expect(again.story.contains("on the other machine: ") && !again.story.contains("declined"), "\(again.story)")
        try await inbox.stop()
    }

    @Test("A transfer without the right to it is refused with an exit code of its own")
    func notPermitted() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        #expect(try await desk.huddle("policy", "Deck", "--allow", "messages").status == .exited(0))
        try deck.home.put("x", at: "file")
        #expect(try await deck.huddle("send", "Desk", "file").status == .exited(14))
        #expect(try await deck.huddle("pipe", "Desk", input: [1]).status == .exited(14))
        #expect(desk.home.text(at: "Downloads/file") == nil)
        try await inbox.stop()
    }

    @Test("A message is shown on a terminal as text, whatever its bytes are")
    func hostileMessage() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        let sending = try await deck.huddle("msg", "Desk", input: Array("a\u{1B}[2Jb".utf8))
        #expect(sending.status == .exited(0), "\(sending.story)")
        #expect(try await inbox.next("message").text == "a\u{1B}[2Jb")
        let list = try await desk.huddle("inbox", "--list").output
        #expect(list.contains("a\\u{1b}[2Jb"))
        #expect(!list.contains("\u{1B}"))
        try await inbox.stop()
    }
}

extension TemporaryFolder {
    fileprivate func put(_ words: [UInt64], at name: String) throws {
        let file = try retrying("open") { open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        defer { close(file) }
        try words.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = try retrying("write") {
                    write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                }
                rest = rest.dropFirst(count)
            }
        }
    }

    fileprivate func words(at name: String) throws -> [UInt64] {
        let file = try retrying("open") { open(path(of: name), O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        var words: [UInt64] = []
        var piece = [UInt64](repeating: 0, count: 1 << 17)
        while true {
            let count = try retrying("read") { read(file, &piece, piece.count * 8) }
            if count == 0 { return words }
            words += piece.prefix(count / 8)
        }
    }
}
