import Vocabulary

/// A number of bytes for the user: three digits are enough.
package enum SizeText {
    package static func of(_ bytes: UInt64) -> String { ByteCount(bytes).rounded }
}
