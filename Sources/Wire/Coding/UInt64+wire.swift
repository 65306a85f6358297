extension UInt64: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) { self = try reader.integer() }

    func write(to bytes: inout [UInt8]) { bytes.append(integer: self) }
}
