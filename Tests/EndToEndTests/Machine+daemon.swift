import Control
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

/// A running `huddle invite` that shows its code.
struct Inviting: Sendable {
    let program: ChildProcess
    /// The code, six digits.
    let code: String

    /// Six digits of another code.
    var otherCode: String { code == "000000" ? "000001" : "000000" }

    /// Its lines after the code.
    func end() async throws -> CompletedProgram { try await program.complete(deadline: .seconds(60)) }

    struct NoCode: Error {
        let story: String
    }
}

/// The actions of a machine with a daemon.
extension Machine {
    func control() throws -> ControlConnection { try #require(connection) }

    private var connection: ControlConnection? {
        ControlConnection(to: home.path(of: ".local/state/huddle/control"))
    }

    /// Starts a daemon for the rest of the test, if none runs.
    func isThere() async throws {
        if connection == nil { _ = try await RunningDaemon.start(on: self) }
    }

    /// Follows the events of its daemon from now on.
    func events() async throws -> ResponseEvents { try await control().events(Endpoint.events.request()) }

    /// Pairs it with another machine, which invites.
    func meets(_ guest: Machine, at daemon: RunningDaemon) async throws {
        let events = try await events()
        let inviting = try await guest.invites(daemon.address)
        while let line = try await events.next(), line.name != "invited" {}
        // The user types the code from the other screen.
        let (first, second) = (String(inviting.code.prefix(3)), String(inviting.code.suffix(3)))
        let accepted = try await huddle("accept", guest.name, first, second)
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        let invite = try await inviting.end()
        #expect(invite.status == .exited(0), "\(invite.story)")
    }

    /// Invites an unknown machine, and waits for the code.
    ///
    /// - Returns: the command, which waits for the code at the other machine
    func invites(_ words: String...) async throws -> Inviting {
        try await isThere()
        let program = try start(["invite"] + words)
        guard let code = try await program.shownCode() else {
            throw Inviting.NoCode(story: try await program.complete(deadline: .seconds(30)).story)
        }
        return Inviting(program: program, code: code)
    }
}
