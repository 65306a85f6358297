/// Something that has a form of its own in a frame's payload.
protocol WireValue {
    /// Takes it from where the reader stands.
    init(from reader: inout FrameReader) throws(PayloadFault)
    /// Appends what `init(from:)` reads.
    func write(to bytes: inout [UInt8])
}

/// Why a payload can't be read.
enum PayloadFault: Error {
    case cutShort
    case trailing(Int)
    case badValue(String)
}
