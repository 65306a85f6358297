/// A listening socket for the HTTP library, which accepts the connections itself.
protocol ControlListener: Sendable {
    /// The number of the descriptor, which the listener closes.
    var number: CInt { get }
    /// A key and its certificate in PEM, for TLS with callers in private networks. nil for programs of this machine.
    var identity: String? { get }
    /// True if machines of other networks could reach the socket. The server then refuses callers of public networks.
    var isOpenToNetwork: Bool { get }
}

extension ControlListener {
    var identity: String? { nil }
    var isOpenToNetwork: Bool { false }
}
