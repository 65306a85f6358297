import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    /// Apple's documented behaviour of sessions, between real hosts.
    /// [The page](../../../docs/internals/multipeer-semantics.md) names the test of each sentence.
    @Suite("MultipeerConnectivity between hosts", .needsLab, .timeLimit(.minutes(10)))
    struct MultipeerTests {
        /// Players, one on each host, with their names and options.
        func with(
            _ players: [(String, [String])],
            _ body: @escaping @Sendable (Lab, [PlayingHost]) async throws -> Void
        ) async throws {
            try await Lab.with(hosts: players.count) { lab in
                var playing: [PlayingHost] = []
                for (place, player) in players.enumerated() {
                    playing.append(try await PlayingHost(player.0, on: lab[place + 1], player.1))
                }
                do {
                    try await body(lab, playing)
                } catch {
                    Issue.record(error)
                }
                for player in playing { await player.end() }
            }
        }

        @Test(
            "The invited peer decides with no, late, never and twice"
        )
        func invitations() async throws {
            try await with([("Ann", []), ("Ben", [])]) { lab, players in
                let (ann, ben) = (players[0], players[1])
                try await ann.does("default", "browse")
                try await ann.says("default required no-identity")
                try await ben.does("answers no", "advertise")
                try await ann.says(#"found Ben ["of": "Ben"]"#)

                try await ann.does("invite Ben 30 hello")
                try await ann.sees("Ben", "connecting", "not connected")
                try await ben.says("invited Ann hello")

                try await ben.does("answers late")
                try await ann.does("invite Ben 1 again")
                try await ann.sees("Ben", "connecting", "not connected", after: 2)
                try await ben.does("answer", "answers twice", "who")
                try await ben.says("with ")
                #expect(ben.states(of: "Ann").isEmpty, "the delegate gets no call for a failed invitation")

                try await ann.does("invite Ben 0 third")
                try await ann.sees("Ben", "connecting", "connected", after: 4)
                try await ben.sees("Ann", "connecting", "connected")

                let other = try await PlayingHost("Ben", on: lab[2])
                try await other.does("advertise")
                try await ann.says(#"found Ben ["of": "Ben"]"#, times: 2)
                try await ann.does("made-up Ben", "who")
                try await ann.says("refused notConnected")
                try await ann.says("with Ben")
                try await other.kill()
                try await ann.says("lost Ben")
                #expect(ann.states(of: "Ben").last == "connected", "it was the other one")
            }
        }

        @Test(
            "All peers connect with all, one that stops advertising stays, and one that leaves can return"
        )
        func mesh() async throws {
            try await with([("Ann", []), ("Ben", []), ("Cid", [])]) { _, players in
                let (ann, ben, cid) = (players[0], players[1], players[2])
                try await ben.does("advertise")
                try await cid.does("advertise")
                try await ann.does("browse")
                for name in ["Ben", "Cid"] {
                    try await ann.says(#"found \#(name) ["of": "\#(name)"]"#)
                    try await ann.does("invite \(name) 30 -")
                    try await ann.sees(name, "connecting", "connected")
                }
                try await ben.sees("Cid", "connecting", "connected")
                try await cid.sees("Ben", "connecting", "connected")
                #expect(ben.count("invited Cid ") + cid.count("invited Ben ") == 0, "no app was asked about that")

                try await ben.does("unadvertise")
                try await ann.says("lost Ben")
                try await ben.does("send Cid straight")
                try await cid.says("heard Ben straight")

                try await cid.does("leave")
                for other in [ann, ben] { try await other.sees("Cid", "not connected", after: 2) }
                try await ann.does("send Ben still")
                try await ben.says("heard Ann still")
                try await ann.does("invite Cid 30 back")
                for other in [ann, ben] { try await other.sees("Cid", "connecting", "connected", after: 3) }
            }
        }

        @Test("Messages, streams and files behave as documented")
        func content() async throws {
            try await with([("Ann", []), ("Ben", [])]) { lab, players in
                let (ann, ben) = (players[0], players[1])
                try await Self.meet(ann, ben)
                try await ann.does("count Ben 500", "bytes Ben 5000000")
                try await ben.says("heard Ann 5000000 bytes")
                let heard = ben.lines.filter { $0.hasPrefix("heard") }.dropLast()
                #expect(Array(heard) == (0..<500).map { "heard Ann \($0)" })

                try await Self.tries("quick", from: ann, to: ben)
                try await lab[2].cutCable()
                try await ann.does("try Ben lost", "send Ben kept")
                try await lab[2].plugCable()
                try await ben.says("heard Ann kept")
                try await Self.tries("end", from: ann, to: ben)
                #expect(ben.count("heard Ann lost") == 0, "what can't go at once is dropped")

                try await ann.does("stream Ben there 3000000")
                try await ben.does("stream Ann back 100000")
                try await ben.says("stream Ann there")
                try await ben.says("streamed there 3000000")
                try await ann.says("streamed back 100000")
                try await ann.does("blocking Ben blocking 3000000")
                try await ben.says("streamed blocking 3000000")

                try await files(ann, ben, on: lab[1])
                try await interruptedFile(ann, ben, in: lab)
                try await slowApp(ann, ben)
            }
        }

        /// Sends unreliable messages until one arrives: some may get lost, but not all of them.
        private static func tries(_ word: String, from ann: PlayingHost, to ben: PlayingHost) async throws {
            for number in 0..<100 where ben.count("heard Ann \(word)") == 0 {
                try await ann.does("try Ben \(word)", "send Ben \(word)-\(number)")
                try await ben.says("heard Ann \(word)-\(number)")
            }
            #expect(ben.count("heard Ann \(word)") > 0)
        }

        private func interruptedFile(_ ann: PlayingHost, _ ben: PlayingHost, in lab: Lab) async throws {
            let (path, size) = ("/var/tmp/huddle-lab-interrupted-\(getpid())", 256 << 20)
            _ = try await lab[1].run(["truncate", "--size=\(size)", path])
            let earlier = ben.count("is Ann connecting")
            try await ann.does("file Ben \(path) interrupted")
            try await ben.says("coming Ann interrupted \(size)")
            try await lab[2].cutCable()
            try await ben.says("is Ann connecting", times: earlier + 1)
            try await lab[2].plugCable()
            try await ben.says("file Ann interrupted interrupted \(size)")
            try await ann.says("sent interrupted")
            _ = try await lab[1].run(["rm", path])
        }

        /// Shows that an app that handles a message slowly delays its sender, but that no call of `send` waits.
        private func slowApp(_ ann: PlayingHost, _ ben: PlayingHost) async throws {
            try await ben.does("busy")
            try await ann.does("pour Ben")
            try await ann.waits("a send that is refused") { $0.contains { $0.hasPrefix("poured ") } }
            let poured = ann.lines.compactMap { $0.firstMatch(of: #/^poured (\d+) unavailable$/#) }.first?.1
            let count = try #require(poured.flatMap { Int($0) })
            #expect(ben.count("heard Ann 1048576 bytes") == 0)
            try await ben.does("free")
            try await ben.says("heard Ann 1048576 bytes", times: count)
        }

        private func files(_ ann: PlayingHost, _ ben: PlayingHost, on host: LabHost) async throws {
            let path = "/var/tmp/huddle-lab-multipeer-\(getpid())"
            _ = try await host.run(["dd", "if=/dev/zero", "of=\(path)", "bs=1M", "count=8"])
            try await ann.does("file Ben \(path) wanted")
            try await ben.says("coming Ann wanted 8388608")
            try await ben.says("file Ann wanted wanted 8388608")
            try await ben.says("moved true")
            try await ann.says("sent wanted")
            try await ann.does("file Ben \(path) unwanted")
            try await ben.says("failed unwanted cancelled")
            try await ann.does("file Ben http://10.77.0.2/x web", "file Unknown \(path) mine")
            try await ann.says("unsent web unsupported")
            try await ann.says("unsent mine notConnected")
            try await ann.says("nothing mine")

            // The transfer is so large that it still runs when the other one cancels.
            _ = try await host.run(["truncate", "--size=4G", path])
            try await ann.does("file Ben \(path) large")
            try await ben.says("coming Ann large \(4 << 30)")
            try await ann.does("cancel")
            try await ann.says("unsent large cancelled")
            try await ben.waits("word of the end") { $0.contains { $0.hasPrefix("failed large ") } }
            _ = try await host.run(["rm", path])
        }

        /// Finds and invites the other peer, until it is connected.
        static func meet(_ one: PlayingHost, _ other: PlayingHost) async throws {
            try await other.does("advertise")
            try await one.does("browse")
            try await one.says(#"found \#(other.name) ["of": "\#(other.name)"]"#)
            try await one.does("invite \(other.name) 30 -")
            try await one.sees(other.name, "connecting", "connected")
            try await other.sees(one.name, "connecting", "connected")
        }

        @Test("Three peers that exchange archived IDs and connection data connect without discovery")
        func customDiscovery() async throws {
            try await with([("Ann", []), ("Ben", []), ("Cid", [])]) { lab, players in
                let folder = "/var/tmp/huddle-lab-exchange-\(getpid())"
                _ = try await lab[1].run(["mkdir", folder])
                for player in players {
                    try await player.does("archive \(folder)/\(player.name)")
                    try await player.says("archived")
                }
                for player in players {
                    for other in players where other !== player {
                        try await player.does("meet \(folder)/\(other.name)")
                        try await player.says("met \(other.name)")
                        try await player.does("data \(other.name) \(folder)/\(player.name)-for-\(other.name)")
                    }
                    try await player.says("data written", times: 2)
                }
                try await players[0].does("connect Ben \(folder)/Ben-for-Ann")
                try await players[0].sees("Ben", "connecting")
                try await players[0].does("give-up Ben")
                try await players[0].sees("Ben", "connecting", "not connected")
                for player in players {
                    for other in players where other !== player {
                        try await player.does("connect \(other.name) \(folder)/\(other.name)-for-\(player.name)")
                    }
                }
                for player in players {
                    for other in players where other !== player {
                        guard player === players[2] || other === players[2] else {
                            // A cancelled connection may reach the other peer while it connects itself. Then it begins
                            // once more.
                            try await player.comesToSee(other.name, "connected")
                            continue
                        }
                        try await player.sees(other.name, "connecting", "connected")
                    }
                }
                try await players[1].does("send Cid straight")
                try await players[2].says("heard Ben straight")
                _ = try await lab[1].run(["rm", "-r", folder])
            }
        }

        @Test("Encryption preferences decide which peers connect, and each gets the other's certificate")
        func trust() async throws {
            try await with([("Ann", ["required", "certificate"]), ("Ben", ["none"]), ("Cid", ["optional"])]) {
                lab,
                players in
                let (ann, ben, cid) = (players[0], players[1], players[2])
                try await ben.does("advertise")
                try await cid.does("advertise", "browse")
                try await ann.does("browse")
                for name in ["Ben", "Cid"] { try await ann.says(#"found \#(name) ["of": "\#(name)"]"#) }
                try await ann.does("invite Ben 30 -")
                try await ann.sees("Ben", "connecting", "not connected")

                try await cid.does("judges no")
                try await ann.does("invite Cid 30 -")
                try await ann.sees("Cid", "connecting", "not connected")
                try await cid.says("certificate Ann shown")
                try await cid.does("judges yes")
                try await ann.does("invite Cid 30 -")
                try await ann.sees("Cid", "connecting", "connected", after: 2)
                try await ann.says("certificate Cid none")

                let eve = try await PlayingHost("Eve", on: lab[3], ["unjudging"])
                try await eve.does("advertise")
                try await ann.says(#"found Eve ["of": "Eve"]"#)
                try await ann.does("invite Eve 30 -")
                try await ann.sees("Eve", "connecting", "not connected")
                await eve.end()

                try await ann.does("leave")
                try await cid.says(#"found Ben ["of": "Ben"]"#)
                try await cid.does("invite Ben 30 -")
                try await cid.sees("Ben", "connecting", "connected")
            }
        }
    }
}
