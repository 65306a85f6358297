import Foundation
import Vocabulary

/// Converts an app's resource name to a file name: characters that a file name can't have are written as `%2F`.
enum ResourceName {
    private static let unsafe: Set<Unicode.Scalar> = ["/", "%"]

    /// Nil if the name is empty or too long.
    static func file(for name: String) -> FileName? {
        var text = ""
        for scalar in name.unicodeScalars {
            if unsafe.contains(scalar) || scalar.properties.generalCategory == .control {
                for byte in String(scalar).utf8 { text += escaped(byte) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        if text == "." || text == ".." { text = text.utf8.map(escaped).joined() }
        return try? FileName(text)
    }

    /// The name that the sending app used.
    static func app(_ name: FileName) -> String { name.text.removingPercentEncoding ?? name.text }

    private static func escaped(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
