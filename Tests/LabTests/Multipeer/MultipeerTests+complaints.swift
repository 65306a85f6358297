import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites.MultipeerTests {
    @Test(
        "Two crossed invitations make one connection, and repeated ones make one question"
    )
    func crossing() async throws {
        let rounds = LabSuites.rounds(20)
        try await with([("Ann", []), ("Ben", [])]) { _, players in
            let (ann, ben) = (players[0], players[1])
            try await Self.meet(ann, ben)
            try await ben.does("browse")
            try await ann.does("advertise")
            try await ben.says(#"found Ann ["of": "Ann"]"#)
            var (seen, asked) = (2, 0)
            /// One peer leaves, something happens, and both see exactly one end and one new connection.
            func again(_ leaver: PlayingHost, _ invite: () async throws -> Void) async throws {
                try await leaver.does("leave")
                try await ann.sees("Ben", "not connected", after: seen)
                try await ben.sees("Ann", "not connected", after: seen)
                try await invite()
                try await ann.sees("Ben", "not connected", "connecting", "connected", after: seen)
                try await ben.sees("Ann", "not connected", "connecting", "connected", after: seen)
                seen += 3
            }
            for round in 0..<rounds {
                try await again(round.isMultiple(of: 2) ? ann : ben) {
                    try await ann.does("invite Ben 30 -")
                    try await ben.does("invite Ann 30 -")
                }
                try await ann.does("send Ben \(round)", "who")
                try await ben.says("heard Ann \(round)")
                try await ann.says("with Ben", times: round + 1)
            }
            try await ben.says("why Ann left", times: rounds)
            try await ann.says("why Ben left", times: rounds)

            try await ben.does("answers later")
            try await again(ann) {
                asked = ben.count("invited Ann often")
                for _ in 0..<10 { try await ann.does("invite Ben 30 often") }
                try await ben.says("invited Ann often")
                try await ben.does("answer")
            }
            #expect(ben.count("invited Ann often") == asked + 1)
            try await ben.does("answers invite")
            try await again(ann) { try await ann.does("invite Ben 30 -") }
        }
    }

    @Test("A program that ends has left, and no one waits for it")
    func ending() async throws {
        try await with([("Ann", []), ("Ben", [])]) { _, players in
            let (ann, ben) = (players[0], players[1])
            try await Self.meet(ann, ben)
            try await ben.endsByItself()
            try await ann.sees("Ben", "connecting", "connected", "not connected")
            try await ann.says("why Ben left")
        }
    }

    @Test(
        "A silent peer is connecting, then not connected after a minute, and an invitation waits half a minute"
    )
    func patience() async throws {
        try await with([("Ann", []), ("Ben", []), ("Cid", []), ("Dan", [])]) { lab, players in
            let (ann, ben, cid, dan) = (players[0], players[1], players[2], players[3])
            try await Self.meet(ann, cid)
            try await Self.sendLarge(from: ben, to: dan, on: lab[2])
            try await ben.does("answers later", "advertise")
            try await ann.says(#"found Ben ["of": "Ben"]"#)
            let start = ContinuousClock.now
            try await ann.does("invite Ben 0 -")
            try await ben.says("invited Ann -")
            try await lab[3].isolate()
            try await ann.sees("Cid", "connecting", "connected", "connecting")
            #expect(ann.count("lost Cid") == 0, "the session knows it before the browser")
            try await ann.says("why Cid lost")
            try await ann.sees("Ben", "connecting", "not connected")
            #expect((.seconds(30)...(.seconds(60) * LabSuites.allowance)).contains(.now - start))
            try await ann.says("why Ben timedOut")
            try await ann.sees("Cid", "connecting", "connected", "connecting", "not connected")
            try await ann.does("send Cid nothing")
            try await ann.says("refused notConnected")
            try await cid.sees("Ann", "connecting", "connected", "connecting", "not connected")
            try await lab[3].rejoin()
            try await ann.does("invite Cid 30 -")
            try await ann.sees("Cid", "connecting", "connected", after: 4)
            try await ann.does("send Cid again")
            try await cid.says("heard Ann again")

            // Neither has printed a line since.
            try await ben.does("send Dan still")
            try await dan.says("heard Ben still")
            #expect(dan.states(of: "Ben") == ["connecting", "connected"])
        }
    }

    /// Sends a large file, and then nothing.
    private static func sendLarge(from one: PlayingHost, to other: PlayingHost, on host: LabHost) async throws {
        try await meet(one, other)
        let (path, size) = ("/var/tmp/huddle-lab-large-\(getpid())", 64 << 20)
        _ = try await host.run(["truncate", "--size=\(size)", path])
        try await one.does("file \(other.name) \(path) large")
        try await other.says("file \(one.name) large large \(size)")
        _ = try await host.run(["rm", path])
    }

    @Test(
        "An invitation’s time counts for the user, and not for a slow cable",
        .needsImpairment
    )
    func slowLine() async throws {
        try await with([("Ann", []), ("Ben", [])]) { lab, players in
            let (ann, ben) = (players[0], players[1])
            try await ben.does("advertise")
            try await ann.does("browse")
            try await ann.says(#"found Ben ["of": "Ben"]"#)
            try await lab[2].impair(delay: .milliseconds(800))
            let start = ContinuousClock.now
            try await ann.does("invite Ben 4 -")
            try await ann.sees("Ben", "connecting", "connected")
            #expect(.now - start > .seconds(4), "it took longer than the one that is asked may take")
            try await ben.sees("Ann", "connecting", "connected")
        }
    }

    @Test(
        "A session has more than eight peers, calls come one at a time, and an own limit counts"
    )
    func crowd() async throws {
        let (hosts, count) = (3, 12)
        try await Lab.with(hosts: hosts) { lab in
            var players: [PlayingHost] = []
            for place in 0...count {
                players.append(try await PlayingHost("P\(place)", on: lab[place % hosts + 1]))
            }
            do {
                try await Self.gather(players.dropLast(), and: players[count])
            } catch {
                Issue.record(error)
            }
            for player in players { await player.end() }
        }
    }

    private static func gather(_ players: ArraySlice<PlayingHost>, and late: PlayingHost) async throws {
        let first = players[0]
        try await first.does("limit \(players.count)", "advertise")
        for guest in players.dropFirst() + [late] {
            try await guest.does("browse")
            try await guest.says(#"found P0 ["of": "P0"]"#)
        }
        for guest in players.dropFirst() { try await guest.does("invite P0 30 -") }
        for player in players {
            for other in players where other !== player {
                try await player.sees(other.name, "connecting", "connected")
            }
        }
        for player in players { try await player.does("all from-\(player.name)") }
        for player in players {
            for other in players where other !== player {
                try await player.says("heard \(other.name) from-\(other.name)")
            }
            try await player.does("calls")
            try await player.says("called 1 at once, off the main thread")
        }
        try await late.does("invite P0 30 -")
        try await late.sees("P0", "connecting", "not connected")
        try await late.says("why P0 declined")
    }
}
