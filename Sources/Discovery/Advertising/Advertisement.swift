public import Vocabulary

/// What a service says to the network: its name, what it is, where it listens.
public struct Advertisement: Hashable, Sendable {
    /// The name that people see. When somebody else on the network has it, Avahi appends “ #2” and so on.
    public var name: InstanceName
    /// The kind of service.
    public var type: ServiceType
    /// The port that it listens on.
    public var port: UInt16
    /// What it says of itself.
    public var txt: TXTRecord
    /// On which interfaces.
    public var interfaces: InterfaceChoice

    /// Everything but the name and the port has a usual value.
    public init(
        _ name: InstanceName,
        type: ServiceType = .huddle,
        port: UInt16,
        txt: TXTRecord = TXTRecord(),
        interfaces: InterfaceChoice = .standard
    ) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
        self.interfaces = interfaces
    }
}
