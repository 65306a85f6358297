extension [UInt8] {
    /// Appends a whole frame: its header, then the value as its payload.
    mutating func appendFrame(_ type: UInt8, _ payload: some WireValue) {
        let start = count
        append(integer: UInt32(type) << 24)
        payload.write(to: &self)
        setLength(ofFrameAt: start)
    }

    /// Appends a frame without a payload.
    mutating func appendFrame(_ type: UInt8) {
        append(integer: UInt32(type) << 24)
    }

    private mutating func setLength(ofFrameAt start: Int) {
        let length = count - start - WireLimits.headerByteCount
        precondition(length <= WireLimits.channelPayload, "a frame that is sent is never too long to be read")
        self[start + 1] = UInt8(truncatingIfNeeded: length >> 16)
        self[start + 2] = UInt8(truncatingIfNeeded: length >> 8)
        self[start + 3] = UInt8(truncatingIfNeeded: length)
    }

    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a text after its length in two bytes.
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { bytes in
            append(integer: UInt16(bytes.count))
            append(contentsOf: bytes)
        }
    }
}
