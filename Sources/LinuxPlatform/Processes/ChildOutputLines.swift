/// The lines of a program's output, read only as fast as the reader asks.
public struct ChildOutputLines: AsyncSequence, Sendable {
    private let output: ChildOutput
    private let limit: Int

    init(_ output: ChildOutput, limit: Int) {
        self.output = output
        self.limit = limit
    }

    /// Creates the one reader; a second one would get the part that the first has not read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(output, limit: limit)
    }

    /// Splits the output at its line ends.
    public struct Iterator: AsyncIteratorProtocol {
        private let output: ChildOutput
        private let limit: Int
        private var buffer: [UInt8] = []
        /// The position at which the search for a line end continues, so that no byte is searched twice.
        private var searched = 0
        private var hasEnded = false

        init(_ output: ChildOutput, limit: Int) {
            self.output = output
            self.limit = limit
        }

        /// Returns the next line without its end; nil after the last one.
        public mutating func next() async throws -> String? {
            while true {
                if let line = takeLine() { return line }
                guard !hasEnded else { return takeRest() }
                let more = try await output.read(upTo: Swift.max(limit - buffer.count, 1))
                hasEnded = more.isEmpty
                buffer += more
            }
        }

        private mutating func takeLine() -> String? {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(upTo: end, andSkip: 1)
            }
            searched = buffer.count
            return buffer.count >= limit ? take(upTo: limit, andSkip: 0) : nil
        }

        private mutating func takeRest() -> String? {
            buffer.isEmpty ? nil : take(upTo: buffer.count, andSkip: 0)
        }

        private mutating func take(upTo end: Int, andSkip skipped: Int) -> String {
            let line = String(decoding: buffer[..<end], as: UTF8.self)
            buffer.removeFirst(end + skipped)
            searched = 0
            return line
        }
    }
}
