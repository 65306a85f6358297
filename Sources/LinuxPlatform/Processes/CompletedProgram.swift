/// What a program wrote, as much of it as was wanted.
public struct CapturedOutput: Sendable, Hashable {
    /// The beginning of it.
    public internal(set) var bytes: [UInt8] = []

    /// Whether there was more than the limit; the rest was thrown away.
    public internal(set) var overflowed = false

    /// The bytes as text, with what is not UTF-8 replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ more: [UInt8], limit: Int) {
        let room = limit - bytes.count
        bytes += more.prefix(room)
        if more.count > room { overflowed = true }
    }
}

/// A program that has run to its end.
public struct CompletedProgram: Sendable {
    /// How it ended.
    public let status: ProgramEnding

    /// Whether we killed it because its time was over.
    public let exceededDeadline: Bool

    /// What it wrote as its result.
    public let standardOutput: CapturedOutput

    /// What it wrote beside it.
    public let standardError: CapturedOutput
}
