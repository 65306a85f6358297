public import Vocabulary

extension ControlFrame {
    /// A message, or its first part if it does not fit into one frame.
    public struct Message: Hashable, Sendable {
        /// The session of the message.
        public let session: SessionID
        /// The number of the message among the sender's messages in the session, from 1.
        public let sequence: UInt64
        /// The size of the whole message in bytes.
        public let total: Int
        /// The first bytes of the message: at least one, unless the message is empty.
        public let bytes: ArraySlice<UInt8>

        /// - Precondition: the number is not 0, `total` is within the limit, and the bytes fit into it and into a frame
        public init(session: SessionID, sequence: UInt64, total: Int, bytes: ArraySlice<UInt8>) {
            precondition(sequence > 0, "messages are numbered from 1")
            precondition(total <= WireLimits.message, "who takes an application's message checks its size")
            precondition(Self.isBeginning(bytes.count, of: total), "a message begins with at least one of its bytes")
            self.session = session
            self.sequence = sequence
            self.total = total
            self.bytes = bytes
        }

        fileprivate static func isBeginning(_ count: Int, of total: Int) -> Bool {
            (min(total, 1)...min(total, WireLimits.firstPart)).contains(count)
        }
    }

    /// The next part of a message that did not fit into one frame.
    public struct MessagePart: Hashable, Sendable {
        /// The session of the message.
        public let session: SessionID
        /// The number of the message.
        public let sequence: UInt64
        /// The bytes of this part, at least one.
        public let bytes: ArraySlice<UInt8>

        /// - Precondition: the number is not 0, there are bytes, and they fit a frame
        public init(session: SessionID, sequence: UInt64, bytes: ArraySlice<UInt8>) {
            precondition(sequence > 0, "messages are numbered from 1")
            precondition((1...WireLimits.furtherPart).contains(bytes.count), "a part is neither empty nor too large")
            self.session = session
            self.sequence = sequence
            self.bytes = bytes
        }
    }
}

extension ControlFrame.Message: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        sequence = try reader.integer()
        total = Int(try reader.integer(UInt32.self))
        bytes = reader.rest()
        guard sequence > 0 else { throw .badValue("sequence") }
        guard total <= WireLimits.message else { throw .badValue("total") }
        guard Self.isBeginning(bytes.count, of: total) else { throw .badValue("bytes") }
    }

    func write(to frame: inout [UInt8]) {
        session.write(to: &frame)
        frame.append(integer: sequence)
        frame.append(integer: UInt32(total))
        frame.append(contentsOf: bytes)
    }
}

extension ControlFrame.MessagePart: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        sequence = try reader.integer()
        bytes = reader.rest()
        guard sequence > 0 else { throw .badValue("sequence") }
        guard !bytes.isEmpty else { throw .badValue("bytes") }
    }

    func write(to frame: inout [UInt8]) {
        session.write(to: &frame)
        frame.append(integer: sequence)
        frame.append(contentsOf: bytes)
    }
}
