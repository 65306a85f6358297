import LinuxPlatform
import TestSupport

/// The throughput in one direction, in writes of 64 KiB.
enum Throughput {
    static func run(blocks: Int, chunks: Int) async throws {
        var bothEnds = Table(
            "\(blocks * chunks / 16) MiB one way in writes of 64 KiB",
            ["candidate", "sending MiB/s", "receiving MiB/s", "both ends MiB/s", "ratio", "ratio", "ratio"]
        )
        let sending = try await speeds(blocks, chunks) { candidate, near, far in (near, BlockingParty(far)) }
        let receiving = try await speeds(blocks, chunks) { candidate, near, far in (BlockingParty(far), near) }
        let both = try await speeds(blocks, chunks) { candidate, near, far in (near, try candidate.makeParty(far)) }
        for (index, candidate) in Candidate.all.enumerated() {
            bothEnds.add(
                [candidate.name] + [sending, receiving, both].map { figure($0[index], digits: 0) }
                    + [sending, receiving, both].map { ratio($0[index], to: $0[0]) }
            )
        }
        bothEnds.show()
    }

    private typealias Ends = (from: any Party, to: any Party)

    private static func speeds(
        _ blocks: Int,
        _ chunks: Int,
        _ arrange: (Candidate, any Party, BlockingSocket) throws -> Ends
    ) async throws -> [Double] {
        let ends = try Candidate.all.map { candidate in
            let (near, far) = try candidate.connected()
            return try arrange(candidate, near, far)
        }
        var nanoseconds = Array(repeating: 0 as UInt64, count: ends.count)
        for block in 0...blocks {
            for index in ends.indices {
                let (from, to) = ends[(block + index) % ends.count]
                let start = monotonicNanoseconds()
                async let sent: Void = from.sendChunks(chunks)
                try await to.receiveChunks(chunks)
                try await sent
                // The first block warms up.
                if block > 0 { nanoseconds[(block + index) % ends.count] += monotonicNanoseconds() - start }
            }
        }
        for (from, to) in ends {
            await from.end()
            await to.end()
        }
        let mebibytes = Double(blocks * chunks * chunkSize) / Double(1 << 20)
        return nanoseconds.map { mebibytes / (Double($0) / 1e9) }
    }
}
