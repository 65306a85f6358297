extension FixedWidthInteger {
    /// The bytes, most significant first.
    var bigEndianBytes: [UInt8] {
        // because the bytes of an integer are all that is looked at
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
