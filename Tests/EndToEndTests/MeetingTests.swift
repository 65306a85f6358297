import LinuxPlatform
import Testing

@Suite("two machines that meet", .timeLimit(.minutes(10)))
struct MeetingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    @Test("know each other once the code was given on the one and confirmed on the other, and ask no more")
    func firstMeeting() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        async let inviting = deck.huddle("invite", address, "--no-browse", "--yes")
        let invited = try await inbox.next("invited")
        #expect(invited.peer?.name == "Deck")
        let accepted = try await desk.huddle("accept", "deck", try #require(invited.code))
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        let invite = try await inviting
        #expect(invite.status == .exited(0), "\(invite.story)")
        #expect(invite.output.contains("is known from now on"))

        let message = try await deck.huddle("msg", "Desk", "hello", "there", "--no-browse")
        #expect(message.status == .exited(0), "\(message.story)")
        #expect(try await inbox.next("message").text == "hello there")
        try await inbox.stop()
    }

    @Test("stay strangers when the code was another, and both say so")
    func wrongCode() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        async let inviting = deck.huddle("invite", address, "--no-browse", "--yes")
        let code = try #require(try await inbox.next("invited").code)
        let other = code == "000000" ? "000001" : "000000"
        #expect(try await desk.huddle("accept", "Deck", other).status == .exited(8))
        #expect(try await inviting.status == .exited(8))
        #expect(try await desk.huddle("peers", "--no-browse").output.isEmpty)
        // Nor does the log say that anybody was let in.
        let log = try await desk.huddle("log").output
        #expect(log.contains("wrong-code") && !log.contains("accepted-by-person"), "\(log)")
        try await inbox.stop()
    }

    @Test("wait for each other only where the one here has said yes", arguments: ["n", "000 000"])
    func noWaiting(answer: String) async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        let invite = try deck.start("invite", address, "--no-browse", "--stdin")
        var lines = try #require(invite.standardOutput).lines().makeAsyncIterator()
        while let line = try await lines.next(), !line.contains("both screens show a code") {}
        try await invite.standardInput?.write(Array("\(answer)\n".utf8))
        while let line = try await lines.next() { #expect(!line.contains("waiting for")) }
        #expect(try await invite.wait() != .exited(0))
        try await inbox.stop()
    }

    @Test("stay strangers when the one declines, and the other is told")
    func declined() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        async let inviting = deck.huddle("invite", address, "--no-browse", "--yes")
        _ = try await inbox.next("invited")
        #expect(try await desk.huddle("decline", "Deck").status == .exited(0))
        #expect(try await inviting.status == .exited(6))
        #expect(try await inbox.next("invitation-over").reason == "declined")
        try await inbox.stop()
    }

    @Test("end without a word where the one is blocked, as if nobody sat there")
    func blocked() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        let blocking = try await desk.huddle("block", "Deck")
        #expect(blocking.status == .exited(0), "\(blocking.story)")
        let invite = try await deck.huddle("invite", "Desk", "--no-browse", "--patience", "1s")
        #expect(invite.status == .exited(5), "\(invite.story)")
        #expect(try await deck.huddle("block", "Desk").status == .exited(0))
        #expect(try await deck.huddle("invite", "Desk", "--no-browse").status == .exited(7))
        try await inbox.stop()
    }

    @Test("need a person, and say so where there is none")
    func nobodyToAsk() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let invite = try await deck.huddle("invite", await inbox.address, "--no-browse")
        #expect(invite.status == .exited(15), "\(invite.story)")
        // It is over before anybody there has been told of it, or just after; either way it was noted.
        while !(try await desk.huddle("log").output.contains(/invitation-over .* withdrawn/)) {}
        try await inbox.stop()
    }

    @Test("can't meet where nobody listens")
    func nobodyListens() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        try await inbox.stop()
        let invite = try await deck.huddle("invite", address, "--no-browse", "--wait", "0s")
        #expect(invite.status == .exited(4), "\(invite.story)")
        #expect(try await deck.huddle("send", "Desk", "x", "--no-browse", "--wait", "0s").status == .exited(4))
    }

    @Test("come to one inbox only, so a second one is refused")
    func secondInbox() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let second = try await desk.huddle("inbox", "--address", "127.0.0.1", "--no-advertise", "--no-browse")
        #expect(second.status == .exited(1))
        #expect(second.standardError.text.contains("another huddle of yours"))
        try await inbox.stop()
    }
}

/// Lets two machines meet for the first time.
func meet(_ guest: Machine, _ inbox: RunningInbox, of host: Machine) async throws {
    let address = await inbox.address
    async let inviting = guest.huddle("invite", address, "--no-browse", "--yes")
    let code = try #require(try await inbox.next("invited").code)
    let accepted = try await host.huddle("accept", guest.name, code)
    try #require(accepted.status == .exited(0), "\(accepted.story)")
    let invite = try await inviting
    try #require(invite.status == .exited(0), "\(invite.story)")
}
