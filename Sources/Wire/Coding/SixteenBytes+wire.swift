internal import Vocabulary

extension SixteenBytes: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        self.init(high: try reader.integer(), low: try reader.integer())
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: words.high)
        bytes.append(integer: words.low)
    }
}
