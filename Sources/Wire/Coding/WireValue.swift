/// A value with a binary form in the payload of a frame.
protocol WireValue {
    /// Reads the value at the reader's position.
    init(from reader: inout FrameReader) throws(PayloadFault)
    /// Appends the form that `init(from:)` reads.
    func write(to bytes: inout [UInt8])
}

/// A reason for which a payload is malformed.
enum PayloadFault: Error {
    case cutShort
    case trailing(Int)
    case badValue(String)
}
