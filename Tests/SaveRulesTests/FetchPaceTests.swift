import SaveRules
import Testing

/// The speed at which a version arrives, and the time that it takes.
struct FetchPaceTests {
    private static let start = ContinuousClock.now

    private static func progress(_ done: UInt64, of total: UInt64 = 1_000) throws -> FetchProgress {
        try #require(FetchProgress(done: done, of: total))
    }

    @Test("the progress is never more than the total, and is 100 % only at its end")
    func bounds() throws {
        #expect(FetchProgress(done: 2, of: 1) == nil)
        #expect(FetchProgress(done: 0, of: 0) == nil)
        #expect(try Self.progress(999).percent == 99)
        #expect(try Self.progress(1_000).percent == 100)
        #expect(FetchProgress(done: 0, of: FetchProgress.mostBytes + 1) == nil)
        #expect(FetchProgress(done: 0, of: .max) == nil)
    }

    @Test("speed and time left are known after half a second, and start over with another size")
    func speed() throws {
        var pace = FetchPace(try Self.progress(100), at: Self.start)
        #expect(pace.bytesPerSecond == nil && pace.secondsLeft == nil)
        pace.moved(to: try Self.progress(150), at: Self.start + .milliseconds(400))
        #expect(pace.bytesPerSecond == nil)
        pace.moved(to: try Self.progress(300), at: Self.start + .seconds(2))
        #expect(pace.bytesPerSecond == 100 && pace.secondsLeft == 7)
        pace.moved(to: try Self.progress(0, of: 500), at: Self.start + .seconds(3))
        #expect(pace.bytesPerSecond == nil && pace.progress.total == 500)
    }

    @Test("no two reports of a machine make a speed or a time left that no number can hold")
    func extremes() throws {
        let most = FetchProgress.mostBytes
        for (first, second) in [(UInt64(0), most), (0, 1), (most - 1, most)] {
            for elapsed in [Duration.milliseconds(500), .seconds(1), .seconds(1 << 40)] {
                var pace = FetchPace(try Self.progress(first, of: most), at: Self.start)
                pace.moved(to: try Self.progress(second, of: most), at: Self.start + elapsed)
                #expect(pace.bytesPerSecond ?? 0 <= 2 * most && pace.secondsLeft ?? 0 <= Int(most))
            }
        }
    }

    @Test("a transfer that does not move has no time left")
    func still() throws {
        var pace = FetchPace(try Self.progress(100), at: Self.start)
        pace.moved(to: try Self.progress(100), at: Self.start + .seconds(9))
        #expect(pace.bytesPerSecond == 0 && pace.secondsLeft == nil)
    }
}
