public import SaveRules
public import Vocabulary

/// What a set's folder held when it was read.
public struct Capture: Sendable {
    /// All of it.
    public let manifest: Manifest
    /// Things that can't be part of a set, the first hundred.
    public let leftOut: [LeftOut]
    /// How many of those there are.
    public let leftOutCount: Int
    /// How much had to be read; nothing where all was known.
    public let bytesRead: ByteCount
}

/// What became of the attempt to read a set's folder.
public enum CaptureOutcome: Sendable {
    /// It was read, and didn't change meanwhile.
    case captured(Capture)
    /// It changed while it was read. It has to settle first.
    case changedMeanwhile
}
