import LabKit
import Testing

extension LabSuites {
    @Suite("The time until three hosts see each other", .needsLab, .timeLimit(.minutes(10)))
    struct TimelinessTests {
        private static let rounds = LabSuites.rounds(20)

        // Avahi probes a name for 750 ms to 1 s before it announces it, as RFC 6762 section 8.1 requires. So there are
        // two measures: a host that starts beside running ones, and three that start together and must first be
        // announced.
        @Test(
            "A starting host and the others see each other within a second, and a leaving one is gone within one"
        )
        func oneJoins() async throws {
            let (seeing, beingSeen, leaving) = try await Lab.with(hosts: 3) { lab in
                var (seeing, beingSeen, leaving) = ([Duration](), [Duration](), [Duration]())
                let first = try await BrowsingHost(lab[1], advertising: "host1")
                let second = try await BrowsingHost(lab[2], advertising: "host2")
                try await first.waits { $0.present == ["host2"] }
                for _ in 0..<Self.rounds {
                    let third = try await BrowsingHost(lab[3], advertising: "host3")
                    seeing.append(try await third.waits { $0.present == ["host1", "host2"] })
                    for other in [first, second] {
                        beingSeen.append(
                            try await other.waits(since: third.started) { $0.present.contains("host3") }
                        )
                    }
                    let end = ContinuousClock.now
                    await third.end()
                    for other in [first, second] {
                        leaving.append(try await other.waits(since: end) { !$0.present.contains("host3") })
                    }
                }
                await first.end()
                await second.end()
                return (seeing, beingSeen, leaving)
            }
            print("seeing the others: median \(seeing.median); being seen: median \(beingSeen.median)")
            print("gone after SIGTERM: median \(leaving.median), longest \(leaving.max() ?? .zero)")
            #expect(seeing.median <= .seconds(1) * LabSuites.allowance)
            #expect(beingSeen.median <= .seconds(1.1) * LabSuites.allowance)
            #expect(leaving.median <= .seconds(1) * LabSuites.allowance)
        }

        @Test("Three hosts that start at one moment see each other")
        func allStart() async throws {
            let times = try await Lab.with(hosts: 3) { lab in
                var times: [Duration] = []
                for round in 0..<Self.rounds {
                    let trio = try await Trio(lab, mark: " \(round)")
                    times += try await trio.areComplete()
                    await trio.end()
                }
                return times
            }
            print("three at one moment: median \(times.median), longest \(times.max() ?? .zero)")
            #expect(times.median <= .seconds(1.3) * LabSuites.allowance)
        }
    }
}
