public import Vocabulary

extension ControlFrame {
    /// Clock and version of a member, as it reports them. They are unproven like a name, and no decision uses them.
    public struct About: Hashable, Sendable {
        /// The sender's clock in seconds since the beginning of 1970, at most ``latestClock``.
        public let clock: UInt64
        /// The version of the sender's program.
        public let program: ProgramVersion

        /// The end of the year 9999.
        public static let latestClock: UInt64 = 253_402_300_799

        /// Clamps the clock to 0 … ``latestClock``.
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
