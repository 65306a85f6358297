/// The datagram by which devices of one LAN find each other, of Syncthing's local discovery in version 4.
package struct LocalAnnouncement: Hashable, Sendable {
    /// The UDP port of local discovery.
    package static let port: UInt16 = 21_027
    /// The longest datagram that is read.
    package static let limit = 4_096

    package var device: DeviceID
    /// Addresses such as `tcp://0.0.0.0:22000`, in which an unspecified host is the sender's.
    package var addresses: [String]
    /// A random number of this run. A new one means that the device has just started.
    package var instance: Int64

    package init(device: DeviceID, addresses: [String], instance: Int64) {
        (self.device, self.addresses, self.instance) = (device, addresses, instance)
    }

    /// The whole datagram.
    package var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.data(1, device.bytes)
        for address in addresses { writer.text(2, address) }
        writer.number(3, instance)
        return BigEndian.bytes(HelloMessage.magic) + writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(ProtocolViolation) {
        guard bytes.count <= Self.limit, bytes.starts(with: BigEndian.bytes(HelloMessage.magic)) else {
            throw ProtocolViolation("sent no announcement")
        }
        var (device, addresses, instance) = (DeviceID?.none, [String](), 0 as Int64)
        var reader = ProtobufReader(bytes.dropFirst(4))
        while let field = try reader.next() {
            switch field.number {
            case 1: device = DeviceID(bytes: try field.bytes())
            case 2:
                guard addresses.count < BridgeLimits.addresses else {
                    throw ProtocolViolation("announced too many addresses")
                }
                addresses.append(try field.text())
            case 3: instance = try field.signed()
            default: break
            }
        }
        guard let device else { throw ProtocolViolation("announced itself without an id") }
        self.init(device: device, addresses: addresses, instance: instance)
    }
}
