import Vocabulary

extension PeerID: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let id = PeerID(bytes: try reader.bytes(Self.byteCount)) else { throw .cutShort }
        self = id
    }

    func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: self.bytes) }
}
