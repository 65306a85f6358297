public import Vocabulary

extension ControlFrame {
    /// The members of a session other than sender and receiver.
    public struct Members: Hashable, Sendable {
        /// The session.
        public let session: SessionID
        /// The other members, at most 128.
        public let members: [Member]

        /// - Precondition: there are at most 128 members
        public init(session: SessionID, members: [Member]) {
            precondition(members.count <= WireLimits.members, "a session is never larger than its list")
            self.session = session
            self.members = members
        }
    }

    /// One peer of a session with its addresses.
    public struct Member: Hashable, Sendable {
        /// The peer ID of the member.
        public let peer: PeerID
        /// The name that the member gives itself.
        public let name: InstanceName
        /// The TCP port on which the member accepts connections; 0 if it accepts none.
        public let port: UInt16
        /// The addresses of the member, at most 16.
        public let addresses: [MemberAddress]

        /// - Precondition: there are at most 16 addresses
        public init(peer: PeerID, name: InstanceName, port: UInt16, addresses: [MemberAddress]) {
            precondition(addresses.count <= WireLimits.addresses, "the best addresses are chosen before")
            self.peer = peer
            self.name = name
            self.port = port
            self.addresses = addresses
        }
    }
}

extension ControlFrame.Members: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        let count = Int(try reader.integer(UInt16.self))
        guard count <= WireLimits.members else { throw .badValue("members") }
        var members: [ControlFrame.Member] = []
        for _ in 0..<count { members.append(try reader.value()) }
        self.members = members
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        bytes.append(integer: UInt16(members.count))
        for member in members { member.write(to: &bytes) }
    }
}

extension ControlFrame.Member: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        peer = try reader.value()
        name = try reader.value()
        port = try reader.integer()
        let count = Int(try reader.integer(UInt8.self))
        guard count <= WireLimits.addresses else { throw .badValue("addresses") }
        var addresses: [MemberAddress] = []
        for _ in 0..<count { addresses.append(try reader.value()) }
        self.addresses = addresses
    }

    func write(to bytes: inout [UInt8]) {
        peer.write(to: &bytes)
        name.write(to: &bytes)
        bytes.append(integer: port)
        bytes.append(UInt8(addresses.count))
        for address in addresses { address.write(to: &bytes) }
    }
}
