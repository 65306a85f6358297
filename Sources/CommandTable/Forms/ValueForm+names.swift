public import Vocabulary

extension ValueForm where Value == ServiceType {
    /// A kind of service, such as `huddle` or `_huddle._tcp`.
    public static var serviceType: ValueForm {
        ValueForm(placeholder: "TYPE", like: "huddle or _huddle._tcp", write: \.description) { text in
            try ServiceType(text)
        }
    }
}

extension ValueForm where Value == InstanceName {
    /// The name of a service on the network.
    public static var instanceName: ValueForm {
        ValueForm(placeholder: "NAME", like: "Deck or \"Living room\"", write: \.text) { text in
            try InstanceName(text)
        }
    }
}

extension ValueForm where Value == HostAndPort {
    /// An address with its port.
    public static var hostAndPort: ValueForm { address(defaultPort: nil) }

    /// An address with an optional port.
    public static func hostAndPort(defaultPort: UInt16) -> ValueForm { address(defaultPort: defaultPort) }

    private static func address(defaultPort: UInt16?) -> ValueForm {
        ValueForm(placeholder: "HOST:PORT", like: "deck.local:4242", write: \.description) { text in
            try HostAndPort(text, defaultPort: defaultPort)
        }
    }
}
