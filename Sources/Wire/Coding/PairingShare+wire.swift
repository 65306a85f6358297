internal import Vocabulary

extension PairingShare: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let share = PairingShare(bytes: try reader.bytes(Self.byteCount)) else { throw .badValue("share") }
        self = share
    }

    func write(to target: inout [UInt8]) { target.append(contentsOf: bytes) }
}
