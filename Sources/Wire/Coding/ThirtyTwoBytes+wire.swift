internal import Vocabulary

extension ThirtyTwoBytes: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        self.init(try reader.value(), try reader.value())
    }

    func write(to bytes: inout [UInt8]) {
        first.write(to: &bytes)
        second.write(to: &bytes)
    }
}
