/// A listening socket for the library, which accepts connections by itself.
protocol ControlListener: Sendable {
    /// The descriptor. It stays the listener's to close.
    var number: CInt { get }
}
