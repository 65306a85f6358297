import SessionRules
import Testing
import Vocabulary

@Suite("A limit of speed", .timeLimit(.minutes(5)))
struct SpeedBucketTests {
    private static func limit(_ bytes: UInt64) throws -> SpeedLimit { try #require(SpeedLimit(ByteCount(bytes))) }

    /// Lets several channels send parts whenever they may, in virtual time. Returns the number of bytes sent.
    private static func moved(
        by channels: Int,
        _ bucket: inout SpeedBucket,
        from start: ContinuousClock.Instant,
        for length: Duration
    ) -> Int {
        var (due, total) = ([ContinuousClock.Instant](repeating: start, count: channels), 0)
        while let next = due.indices.min(by: { due[$0] < due[$1] }), due[next] < start + length {
            let part = bucket.part ?? 0
            let wait = bucket.book(part, at: due[next])
            // A channel that may send also needs a moment.
            due[next] += wait + .microseconds(10)
            if due[next] < start + length { total += part }
        }
        return total
    }

    @Test(
        "a limit holds over five seconds within ten percent, at any speed and with any number of channels",
        arguments: [64 << 10, 1_000_000, 5_000_000, 200_000_000] as [UInt64],
        [1, 3, 16]
    )
    func exact(speed: UInt64, channels: Int) throws {
        let start = ContinuousClock.now
        var bucket = SpeedBucket(try Self.limit(speed), at: start)
        let moved = Double(Self.moved(by: channels, &bucket, from: start, for: .seconds(5)))
        #expect(abs(moved / Double(speed * 5) - 1) <= 0.1, "\(moved) of \(speed * 5)")
    }

    @Test("a pause saves up no burst")
    func pause() throws {
        let start = ContinuousClock.now
        var bucket = SpeedBucket(try Self.limit(1_000_000), at: start)
        let moved = Self.moved(by: 1, &bucket, from: start + .seconds(60), for: .seconds(1))
        #expect(moved <= 1_100_000)
    }

    @Test("bytes that came are waited for, and a debt stays the same number of bytes if the limit changes")
    func debt() throws {
        let start = ContinuousClock.now
        var bucket = SpeedBucket(try Self.limit(1_000_000), at: start)
        _ = bucket.book(1_000_000, at: start)
        #expect(bucket.wait(at: start) == .seconds(1))
        bucket.change(to: try Self.limit(2_000_000), at: start)
        #expect(bucket.wait(at: start) > .milliseconds(390) && bucket.wait(at: start) < .milliseconds(510))
        bucket.change(to: .none, at: start)
        #expect(bucket.wait(at: start) == .zero && bucket.book(1 << 30, at: start) == .zero && bucket.part == nil)
    }

    @Test("a speed below the least is refused")
    func least() {
        #expect(SpeedLimit(ByteCount(SpeedLimit.least.bytes - 1)) == nil)
        #expect(SpeedLimit(SpeedLimit.least) != nil && SpeedLimit(ByteCount(.max)) == nil)
    }
}
