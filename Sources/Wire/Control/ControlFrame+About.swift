public import Vocabulary

extension ControlFrame {
    /// What a member of a session says of itself. It is a word like a name, and nothing is decided by it.
    public struct About: Hashable, Sendable {
        /// What the sender's clock says: seconds since the beginning of 1970, at most ``latestClock``.
        public let clock: UInt64
        /// Which huddle it is.
        public let program: ProgramVersion

        /// The end of the year 9999.
        public static let latestClock: UInt64 = 253_402_300_799

        /// A clock that is out of all bounds is said as far as can be.
        public init(clock: Int64, program: ProgramVersion) {
            self.clock = UInt64(min(max(clock, 0), Int64(Self.latestClock)))
            self.program = program
        }
    }
}

extension ControlFrame.About: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        clock = try reader.integer()
        guard clock <= Self.latestClock else { throw .badValue("clock") }
        program = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: clock)
        program.write(to: &bytes)
    }
}
