extension FixedWidthInteger {
    /// The bytes, most significant first.
    var bigEndianBytes: [UInt8] {
        // because only the bytes of an integer are read
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
