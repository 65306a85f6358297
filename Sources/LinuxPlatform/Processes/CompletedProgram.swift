/// The output of a program, up to a limit.
public struct CapturedOutput: Sendable, Hashable {
    /// The first bytes of the output.
    public internal(set) var bytes: [UInt8] = []

    /// True if there was more than the limit; the rest was discarded.
    public internal(set) var overflowed = false

    /// The bytes as text, with invalid UTF-8 replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ more: [UInt8], limit: Int) {
        let room = limit - bytes.count
        bytes += more.prefix(room)
        if more.count > room { overflowed = true }
    }
}

/// A program that has ended.
public struct CompletedProgram: Sendable {
    /// The way in which it ended.
    public let status: ProgramEnding

    /// True if it was killed at the deadline.
    public let exceededDeadline: Bool

    /// Its standard output.
    public let standardOutput: CapturedOutput

    /// Its standard error.
    public let standardError: CapturedOutput
}
