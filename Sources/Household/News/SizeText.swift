import Vocabulary

/// How many bytes there are, for people: three digits are enough.
package enum SizeText {
    package static func of(_ bytes: UInt64) -> String { ByteCount(bytes).rounded }
}
