import Control
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

/// What a machine with a daemon can do.
extension Machine {
    func control() throws -> ControlConnection {
        try #require(ControlConnection(to: home.path(of: ".local/state/huddle/control")))
    }

    /// Follows what its daemon tells from now on.
    func events() async throws -> NewsLines { try await control().news(ControlQuestion("GET", ["v1", "events"])) }

    /// Lets it meet another, which invites.
    func meets(_ guest: Machine, at daemon: RunningDaemon) async throws {
        let events = try await events()
        async let inviting = guest.huddle("invite", daemon.address, "--yes")
        var code: String?
        while code == nil, let news = try await events.next() { code = news.code }
        // As a person types what the other screen shows.
        let digits = try #require(code)
        let accepted = try await huddle("accept", guest.name, String(digits.prefix(3)), String(digits.suffix(3)))
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        let invite = try await inviting
        #expect(invite.status == .exited(0), "\(invite.story)")
    }
}
