import Vocabulary

extension Label: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        let text = try reader.text("name", limit: Self.maximumByteCount)
        do { try self.init(text) } catch { throw .badValue("name") }
    }

    func write(to bytes: inout [UInt8]) { bytes.append(text: text) }
}
