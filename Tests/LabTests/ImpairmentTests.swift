import LabKit
import Testing

@Suite("Impaired cables", .serialized, .needsLab, .needsImpairment, .timeLimit(.minutes(10)))
struct ImpairmentTests {
    @Test("A delay is added each way, and removed with the impairment")
    func delay() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            // A ping before the impairment, so that no host must resolve an address over the slow cable.
            _ = try await lab[1].ping(lab[2], count: 5)
            try await lab[2].impair(delay: .milliseconds(100))
            let slow = try await lab[1].ping(lab[2], count: 20)
            #expect(slow.received == 20)
            #expect(slow.fastest >= .milliseconds(200))
            // The exact delay can't be checked on a machine with other work.
            #expect(slow.median < .milliseconds(300))
            try await lab[2].clearImpairment()
            #expect(try await lab[1].ping(lab[2]).median < .milliseconds(50))
        }
    }

    @Test("The given percentage of frames is lost, the same ones for the same seed")
    func loss() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            // A ping before the impairment, so that the resolution of the address is not lost.
            _ = try await lab[1].ping(lab[2], count: 5)
            try await lab[2].impair(loss: 5, seed: 7)
            let report = try await lab[1].ping(lab[2], count: 1000, interval: .milliseconds(2))
            // Five in a hundred each way; the bounds are four standard deviations away.
            #expect((6.0...13.6).contains(report.lossPercent), "\(report)")
        }
    }

    @Test("Jitter varies the delay, and reorders only with the option for it")
    func jitter() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            var impairment = Impairment(delay: .milliseconds(30), jitter: .milliseconds(20))
            try await lab[2].impair(impairment)
            let inOrder = try await lab[1].ping(lab[2], count: 100)
            #expect(inOrder.reordered == 0)
            #expect(inOrder.fastest >= .milliseconds(20))
            #expect(inOrder.slowest - inOrder.fastest > .milliseconds(10))
            impairment.allowsReordering = true
            try await lab[2].impair(impairment)
            #expect(try await lab[1].ping(lab[2], count: 100).reordered > 0)
        }
    }

    @Test("A rate limits a connection, which is faster without it")
    func rate() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            try await lab[2].impair(rate: 50_000_000)
            let slow = try await lab[1].pour(to: lab[2])
            #expect((25_000_000...50_000_000).contains(slow))
            try await lab[2].clearImpairment()
            #expect(try await lab[1].pour(to: lab[2], for: .milliseconds(500)) > 100_000_000)
        }
    }

    @Test("A connection survives repeated changes of the impairment")
    func changesUnderTraffic() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            async let flow = lab[1].pour(to: lab[2], for: .seconds(3))
            for round in 1...5 {
                try await lab[2].impair(loss: 1, delay: .milliseconds(round), rate: 200_000_000)
                try await lab[2].clearImpairment()
            }
            #expect(try await flow > 1_000_000)
        }
    }

    @Test("A cut or isolated cable is still impaired afterwards")
    func faultsTogether() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            try await lab[2].impair(delay: .milliseconds(20))
            try await lab[2].cutCable()
            #expect(try await lab[1].ping(lab[2], count: 5, patience: .milliseconds(200)).received == 0)
            try await lab[2].plugCable()
            try await lab[2].isolate()
            #expect(try await lab[1].ping(lab[2], count: 5, patience: .milliseconds(200)).received == 0)
            try await lab[2].rejoin()
            let report = try await lab[1].ping(lab[2])
            #expect(report.received == 20)
            #expect(report.fastest >= .milliseconds(40))
            try await lab[2].isolate()
            try await lab[2].clearImpairment()
            #expect(try await lab[1].ping(lab[2], count: 5, patience: .milliseconds(200)).received == 0)
            try await lab[2].rejoin()
            #expect(try await lab[1].ping(lab[2]).received == 20)
        }
    }
}
