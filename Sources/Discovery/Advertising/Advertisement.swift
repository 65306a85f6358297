public import Vocabulary

/// The advertised data of a service: name, type, port and TXT record.
public struct Advertisement: Hashable, Sendable {
    /// The name for users. If another service on the network has it, Avahi appends “ #2” and so on.
    public var name: InstanceName
    /// The type of the service.
    public var type: ServiceType
    /// The port of the service.
    public var port: UInt16
    /// The TXT record.
    public var txt: TXTRecord
    /// Network interfaces to advertise on.
    public var interfaces: InterfaceChoice

    /// Data with default values.
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
