import LabKit
import LinuxPlatform
import Testing

/// Programs that end and start again under the same name. With `HUDDLE_LIVES=50` they do so fifty times.
extension LabSuites.MultipeerTests {
    private static let lives = ProgramLaunch.ownEnvironment["HUDDLE_LIVES"].flatMap { Int($0) } ?? 8

    // The program's TXT record is less than a second old at its end, so Avahi does not take the next one for its
    // replacement.
    @Test("A program that ends as soon as it is seen does not find its former self", arguments: [true, false])
    func startedAgain(stopsFirst: Bool) async throws {
        try await Lab.with(hosts: 2) { lab in
            let watcher = try await PlayingHost("Watcher", on: lab[2])
            try await watcher.does("browse")
            for life in 1...Self.lives {
                let ann = try await PlayingHost("Ann", on: lab[1])
                try await ann.does("browse", "advertise")
                try await watcher.says(#"found Ann ["of": "Ann"]"#, times: life)
                if stopsFirst { try await ann.does("unadvertise") }
                try await ann.endsByItself()
                #expect(ann.lines.filter { $0.hasPrefix("found") } == [], "life \(life)")
                try await watcher.says("lost Ann", times: life)
            }
            #expect(watcher.count(#"found Ann ["of": "Ann"]"#) == Self.lives, "each life is found once")
            await watcher.end()
        }
    }

    @Test("Two programs of the same name find exactly each other in every life")
    func sameNames() async throws {
        try await Lab.with(hosts: 2) { lab in
            for life in 1...Self.lives {
                let one = try await PlayingHost("Ann", on: lab[1])
                let other = try await PlayingHost("Ann", on: lab[2])
                for player in [one, other] { try await player.does("browse", "advertise") }
                for player in [one, other] { try await player.says(#"found Ann ["of": "Ann"]"#) }
                for player in [one, other] { try await player.endsByItself() }
                for player in [one, other] {
                    #expect(player.lines.filter { $0.hasPrefix("found") }.count == 1, "life \(life)")
                }
            }
        }
    }

    // A library as in many apps: it names peers by a hash of their archive, and both sides invite the peers that they
    // find.
    @Test("Programs that name peers by archives and invite each other connect in every life")
    func namedByArchives() async throws {
        try await Lab.with(hosts: 2) { lab in
            for life in 1...Self.lives {
                let ann = try await PlayingHost("Ann", on: lab[1], running: "multipeer-lobby")
                let ben = try await PlayingHost("Ben", on: lab[2], running: "multipeer-lobby")
                for (one, other) in [(ann, ben), (ben, ann)] {
                    try await other.waits("its own id") { $0.first?.hasPrefix("me ") == true }
                    let id = try #require(other.lines.first?.split(separator: " ").last)
                    try await one.says("found \(other.name) \(id)")
                    try await one.says("connected \(other.name) \(id)")
                    try await one.says("heard \(other.name) \(id) hello")
                }
                for player in [ann, ben] {
                    try await player.endsByItself()
                    #expect(player.lines.count { $0.hasPrefix("found") } == 1, "life \(life): \(player.lines)")
                }
            }
        }
    }
}
