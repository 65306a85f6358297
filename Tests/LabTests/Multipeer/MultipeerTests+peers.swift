import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites.MultipeerTests {
    @Test(
        "A peer is the same when found, copied, archived and restarted, and no other program can be it"
    )
    func identities() async throws {
        // A name of 63 bytes and the longest discovery info. One of them spells the service in capital letters.
        let (name, words) = (String(repeating: "é", count: 31) + "x", ["service=Lab-Game", "info=253"])
        let found = "found \(name) [\"k\": \"\(String(repeating: "v", count: 253))\"]"
        try await with([("Ann", []), (name, words)]) { lab, players in
            let (ann, other) = (players[0], players[1])
            let archive = "/var/tmp/huddle-lab-archive-\(getpid())"
            try await other.does("archive \(archive)", "advertise")
            try await other.says("archived")
            try await ann.does("meet \(archive)")
            try await ann.says("met \(name)")
            try await ann.does("browse")
            try await ann.says(found)
            #expect(ann.count("same \(name)") == 1, "the archived peer is found")
            try await ann.does("invite \(name) 30 -")
            try await ann.sees(name, "connecting", "connected")
            try await other.sees("Ann", "connecting", "connected")
            try await ann.does("copy \(name) hello")
            try await other.says("heard Ann hello")

            try await other.kill()
            let again = try await PlayingHost(name, on: lab[2], words + ["again=\(archive)"])
            try await again.does("advertise")
            // The peer may start again before its end is noticed. Then it is found once, and is still the same.
            try await again.does("browse")
            try await ann.does("advertise")
            try await again.says(#"found Ann ["of": "Ann"]"#)
            try await again.does("invite Ann 30 -")
            try await again.sees("Ann", "connecting", "connected")
            // A peer that one side has connected is soon connected on the other.
            try await ann.waits("\(name) to be back") { _ in
                ann.states(of: name).count > 3 && ann.states(of: name).last == "connected"
            }
            try await ann.does("copy \(name) back")
            try await again.says("heard Ann back")
            #expect(ann.count("another \(name)") == 0)

            let thief = try await end(of: [name, "again=\(archive)"], on: lab[1])
            #expect(!thief.status.isSuccess, "on another machine an archive makes no program that peer")
            #expect(thief.standardError.text.contains("came from another device"))
            await again.end()
            _ = try await lab[1].run(["rm", archive])
        }
    }

    /// The ending of a player whose only command is to advertise.
    private func end(of words: [String], on host: LabHost) async throws -> CompletedProgram {
        try await host.run(
            ["sh", "-c", #"echo advertise | "$0" "$@""#, HuddleProgram.beside("multipeer-player")] + words,
            environment: ["SWIFT_BACKTRACE": "enable=no"],
            deadline: .seconds(60) * LabSuites.allowance
        )
    }

    @Test("A failure to advertise or browse is reported, and both work once they can")
    func troubled() async throws {
        try await with([("Ann", []), ("Ben", [])]) { lab, players in
            let (ann, ben) = (players[0], players[1])
            try await lab[1].stopBus()
            try await ann.does("advertise", "browse")
            try await ann.says("troubled advertising")
            try await ann.says("troubled browsing")
            try await ben.does("advertise", "browse")
            try await lab[1].startBus()
            try await lab[1].startAvahi()
            try await ann.says(#"found Ben ["of": "Ben"]"#)
            try await ben.says(#"found Ann ["of": "Ann"]"#)
        }
    }
}
