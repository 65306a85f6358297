import Vocabulary

extension ProgramVersion: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let version = ProgramVersion(try reader.text("program", limit: Self.maximumByteCount)) else {
            throw .badValue("program")
        }
        self = version
    }

    func write(to bytes: inout [UInt8]) { bytes.append(text: description) }
}
