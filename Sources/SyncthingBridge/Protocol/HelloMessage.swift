/// The first bytes of each connection, by which two devices exchange their names and programs.
package struct HelloMessage: Hashable, Sendable {
    package var deviceName: String
    package var clientName: String
    package var clientVersion: String

    package init(deviceName: String, clientName: String, clientVersion: String) {
        self.deviceName = deviceName
        self.clientName = clientName
        self.clientVersion = clientVersion
    }

    static let magic: UInt32 = 0x2EA7_D90B
    /// The number of bytes before the message itself: the magic number and the length.
    package static let headCount = 6

    /// The whole packet.
    package var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.text(1, deviceName)
        writer.text(2, clientName)
        writer.text(3, clientVersion)
        return BigEndian.bytes(Self.magic) + BigEndian.bytes(UInt16(writer.bytes.count)) + writer.bytes
    }

    /// Reads the packet's head.
    ///
    /// - Returns: the number of bytes that follow
    package static func bodyCount(of head: some Collection<UInt8>) throws(ProtocolViolation) -> Int {
        guard head.count == headCount else { throw ProtobufReader.malformed }
        switch UInt32(truncatingIfNeeded: BigEndian.number(head.prefix(4))) {
        case magic: break
        case 0x9F79_BC40, 0x0001_0000, 0x0001_0001: throw ProtocolViolation("has a Syncthing that is too old")
        default: throw ProtocolViolation("does not speak Syncthing's protocol")
        }
        let count = BigEndian.number(head.dropFirst(4))
        guard count <= BridgeLimits.hello else { throw ProtocolViolation("sent a Hello that is too long") }
        return count
    }

    package init(decoding body: [UInt8]) throws(ProtocolViolation) {
        self.init(deviceName: "", clientName: "", clientVersion: "")
        var reader = ProtobufReader(body[...])
        while let field = try reader.next() {
            switch field.number {
            case 1: deviceName = try field.text()
            case 2: clientName = try field.text()
            case 3: clientVersion = try field.text()
            default: break
            }
        }
    }
}

/// Numbers in network byte order.
enum BigEndian {
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// - Parameter bytes: at most seven
    static func number(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
