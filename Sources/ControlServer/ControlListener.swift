/// A listening socket for the HTTP library, which accepts the connections.
protocol ControlListener: Sendable {
    /// The descriptor; the listener closes it.
    var number: CInt { get }
}
