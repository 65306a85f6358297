/// A listening socket for the HTTP library, which accepts the connections.
protocol ControlListener: Sendable {
    /// The descriptor; the listener closes it.
    var number: CInt { get }
    /// A key and its certificate in PEM, for TLS with callers in private networks; nil for programs of this machine.
    var identity: String? { get }
    /// True if machines of other networks could reach it, which are refused.
    var isOpenToNetwork: Bool { get }
}

extension ControlListener {
    var identity: String? { nil }
    var isOpenToNetwork: Bool { false }
}
