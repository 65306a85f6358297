public import Vocabulary

extension ControlFrame {
    /// The first frame of each side.
    public struct Hello: Hashable, Sendable {
        /// The newest minor version that the sender speaks.
        public let minor: UInt16
        /// What the sender calls itself: a label, never proof.
        public let name: InstanceName
        /// What the sender can do beyond the minimum of its version.
        public let features: WireFeatures
        /// Where the sender takes connections; 0 where it takes none.
        public let listeningPort: UInt16
        /// Where the sender takes datagrams; 0 where it takes none.
        public let datagramPort: UInt16
        /// Differs between two runs of the sender's program.
        public let runToken: UInt64

        /// Each field as it is sent.
        public init(
            minor: UInt16 = WireVersion.minor,
            name: InstanceName,
            features: WireFeatures = [],
            listeningPort: UInt16,
            datagramPort: UInt16,
            runToken: UInt64
        ) {
            self.minor = minor
            self.name = name
            self.features = features
            self.listeningPort = listeningPort
            self.datagramPort = datagramPort
            self.runToken = runToken
        }
    }
}

extension ControlFrame.Hello: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        minor = try reader.integer()
        // A newer peer's very first frame may hold more than is known here.
        reader.peerMinor = minor
        name = try reader.value()
        features = WireFeatures(rawValue: try reader.integer())
        listeningPort = try reader.integer()
        datagramPort = try reader.integer()
        runToken = try reader.integer()
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: minor)
        name.write(to: &bytes)
        bytes.append(integer: features.rawValue)
        bytes.append(integer: listeningPort)
        bytes.append(integer: datagramPort)
        bytes.append(integer: runToken)
    }
}
