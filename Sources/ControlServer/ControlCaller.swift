/// The program at the other end of a control connection, as the kernel knows it.
public struct ControlCaller: Hashable, Sendable {
    /// Whose program it is.
    public let user: UInt32
    /// Which program it was when it connected.
    public let process: Int32

    /// A caller that the kernel, or a test, vouches for.
    public init(user: UInt32, process: Int32) {
        self.user = user
        self.process = process
    }
}
