import LinuxPlatform
import TestSupport
import Testing

@Suite("Two machines that pair", .timeLimit(.minutes(10)))
struct MeetingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    @Test("Two machines are paired after the code was typed, and ask no further question")
    func firstMeeting() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let inviting = try await deck.invites(await inbox.address)
        let invited = try await inbox.next("invited")
        #expect(invited.peer?.name == "Deck" && invited.needsCode == true)
        let accepted = try await desk.huddle("accept", "deck", inviting.code)
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        let invite = try await inviting.end()
        #expect(invite.status == .exited(0), "\(invite.story)")
        #expect(invite.output.contains("Paired with"))

        let message = try await deck.huddle("msg", "Desk", "hello", "there")
        #expect(message.status == .exited(0), "\(message.story)")
        #expect(try await inbox.next("message").text == "hello there")
        let typo = try await deck.huddle("msg", "Dsek", "hello", "--wait", "0s")
        #expect(typo.status == .exited(4) && typo.standardError.text.contains("did you mean “Desk”?"), "\(typo.story)")
        try await inbox.stop()
    }

    @Test("A wrong code pairs no machines, and both name the next step")
    func wrongCode() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let inviting = try await deck.invites(await inbox.address)
        _ = try await inbox.next("invited")
        let accepted = try await desk.huddle("accept", "Deck", inviting.otherCode)
        let invite = try await inviting.end()
        for reported in [accepted, invite] {
            #expect(reported.status == .exited(8), "\(reported.story)")
            let lines =
                "error: the code was mistyped, or another machine is in between\nhint: invite again, which shows a new code"
            #expect(reported.standardError.text.contains(lines), "\(reported.story)")
        }
        #expect(try await !desk.huddle("peers").output.contains(#/ yes /#))
        // The log has no entry that a machine was accepted.
        let log = try await desk.huddle("log").output
        #expect(log.contains("wrong-code") && !log.contains("accepted-by-user"), "\(log)")
        // Each invitation has a code of its own, so the next right code is not the wrong one.
        let again = try await deck.invites(await inbox.address)
        _ = try await inbox.next("invited")
        #expect(try await desk.huddle("accept", "Deck", again.code).status == .exited(0))
        #expect(try await again.end().status == .exited(0))
        try await inbox.stop()
    }

    @Test("A decline pairs no machines, and the inviter learns of it")
    func declined() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let inviting = try await deck.invites(await inbox.address)
        _ = try await inbox.next("invited")
        #expect(try await desk.huddle("decline", "Deck").status == .exited(0))
        #expect(try await inviting.end().status == .exited(6))
        #expect(try await inbox.next("invitation-over").reason == "declined")
        let late = try await desk.huddle("accept", "Deck", "123456")
        #expect(late.status == .exited(4) && late.story.contains("waits here: it was declined here"), "\(late.story)")
        try await inbox.stop()
    }

    @Test("A blocked machine gets no answer, as if the user did not look")
    func blocked() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        let blocking = try await desk.huddle("block", "Deck")
        #expect(blocking.status == .exited(0), "\(blocking.story)")
        let invite = try await deck.huddle("invite", "Desk", "--patience", "1s")
        #expect(invite.status == .exited(5), "\(invite.story)")
        #expect(try await deck.huddle("block", "Desk").status == .exited(0))
        #expect(try await deck.huddle("invite", "Desk").status == .exited(7))
        try await inbox.stop()
    }

    @Test("Pairing without a terminal fails with the advice to type the code")
    func noUserToAsk() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let inviting = try await deck.invites(await inbox.address)
        _ = try await inbox.next("invited")
        let accept = try await desk.huddle("accept", "Deck")
        #expect(accept.status == .exited(15), "\(accept.story)")
        #expect(accept.standardError.text.contains("`huddle accept Deck 482 913`"), "\(accept.story)")
        // The invitation still waits.
        #expect(try await desk.huddle("accept", "Deck", inviting.code).status == .exited(0))
        #expect(try await inviting.end().status == .exited(0))
        try await inbox.stop()
    }

    @Test("A key without a code needs its ID, and the other machine must not wait for a code")
    func yesRefused() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        try await deck.isThere()
        let byAddress = try await deck.huddle("invite", address, "--yes")
        #expect(byAddress.status == .exited(2), "\(byAddress.story)")
        #expect(byAddress.standardError.text.contains("--yes takes a key without a code"), "\(byAddress.story)")
        let inviting = try await deck.invites(address)
        let id = try #require(try await inbox.next("invited").peer?.id)
        let byName = try await desk.huddle("accept", "Deck", "--yes")
        #expect(byName.status == .exited(2), "\(byName.story)")
        #expect(byName.standardError.text.contains("so “Deck” is not enough"), "\(byName.story)")
        let byID = try await desk.huddle("accept", id, "--yes")
        #expect(byID.status == .exited(1), "\(byID.story)")
        #expect(byID.standardError.text.contains("waits for its code"), "\(byID.story)")
        #expect(try await desk.huddle("accept", "Deck", inviting.code).status == .exited(0))
        #expect(try await inviting.end().status == .exited(0))
        try await inbox.stop()
    }

    @Test("An invitation fails if no program listens")
    func noReader() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        try await inbox.stop()
        try await deck.isThere()
        let invite = try await deck.huddle("invite", address, "--wait", "0s")
        #expect(invite.status == .exited(4), "\(invite.story)")
        try deck.home.put("x", at: "x")
        #expect(try await deck.huddle("send", "Desk", "x", "--wait", "0s").status == .exited(4))
    }
}

/// Pairs two machines.
func meet(_ guest: Machine, _ inbox: RunningInbox, of host: Machine) async throws {
    let inviting = try await guest.invites(await inbox.address)
    _ = try await inbox.next("invited")
    let accepted = try await host.huddle("accept", guest.name, inviting.code)
    try #require(accepted.status == .exited(0), "\(accepted.story)")
    let invite = try await inviting.end()
    try #require(invite.status == .exited(0), "\(invite.story)")
}
