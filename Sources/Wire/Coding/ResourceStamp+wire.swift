internal import Vocabulary

extension ResourceStamp: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        let bits = UInt32(try reader.integer(UInt16.self))
        let mode = FileMode(rawValue: bits)
        guard mode.rawValue == bits else { throw .badValue("mode") }
        let seconds = try reader.integer(Int64.self)
        let nanoseconds = try reader.integer(UInt32.self)
        guard nanoseconds < 1_000_000_000 else { throw .badValue("modified") }
        self.init(mode: mode, modified: FileTime(seconds: seconds, nanoseconds: nanoseconds))
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: UInt16(mode.rawValue))
        bytes.append(integer: modified.seconds)
        bytes.append(integer: modified.nanoseconds)
    }
}
