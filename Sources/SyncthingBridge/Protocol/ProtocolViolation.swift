/// Bytes or messages that the Block Exchange Protocol forbids. The connection ends with it.
package struct ProtocolViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, after “the device”: `sent a block without a hash`.
    package let fault: String

    package init(_ fault: String) {
        self.fault = fault
    }

    package var description: String { "the device \(fault)" }
}
