public import Vocabulary

extension ControlFrame {
    /// The first frame of each side.
    public struct Hello: Hashable, Sendable {
        /// The newest minor version that the sender speaks.
        public let minor: UInt16
        /// The name that the sender gives itself: a label, never proof.
        public let name: InstanceName
        /// The optional abilities of the sender.
        public let features: WireFeatures
        /// The TCP port on which the sender accepts connections; 0 if it accepts none.
        public let listeningPort: UInt16
        /// The UDP port on which the sender accepts datagrams; 0 if it accepts none.
        public let datagramPort: UInt16
        /// A value that differs between two runs of the sender's program.
        public let runToken: UInt64

        /// Creates a value from the fields in their order on the wire.
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
        // A newer peer may have additions in this first frame already, so the rest must be read as from a newer peer.
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
