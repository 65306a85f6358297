package import Vocabulary

/// The name of a device, which is also the user name with which it logs in: up to 32 letters, digits, hyphens and
/// underscores.
package struct DeviceName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let maximumByteCount = 32

    package let text: String

    package var description: String { text }

    /// - Returns: nil if the text is not a name
    package init?(_ text: String) {
        guard (1...Self.maximumByteCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed),
            text.utf8.first != UInt8(ascii: "-")
        else { return nil }
        self.text = text
    }

    package static func < (left: DeviceName, right: DeviceName) -> Bool { left.text < right.text }

    /// The device as all machines show it in the history.
    package var label: Label { label(of: "RetroArch") }

    /// The device as all machines show it in the history, with the program that runs on it.
    package func label(of program: String) -> Label {
        guard let label = try? Label("\(text), \(program)") else { preconditionFailure("a device name is plain") }
        return label
    }

    /// The name that is most like a text: other characters than allowed ones become hyphens.
    ///
    /// - Returns: nil if nothing remains
    package init?(like text: String) {
        let bytes = text.utf8.prefix(Self.maximumByteCount).map { Self.isAllowed($0) ? $0 : UInt8(ascii: "-") }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "-")
        self.init(parts.joined(separator: "-"))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
