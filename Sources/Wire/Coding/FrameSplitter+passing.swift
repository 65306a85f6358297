/// Payloads that go to the caller without being stored.
extension FrameSplitter {
    /// Calls `body` with the payloads of one type, as slices of the input, up to the first frame of another type.
    /// A payload that arrives in several inputs goes out in as many pieces.
    ///
    /// - Parameter lengths: the allowed lengths of such a payload; a frame of another length stops the loop
    /// - Returns: the number of consumed bytes; the rest is for ``append(_:)``
    mutating func pass(
        _ input: UnsafeRawBufferPointer,
        of type: UInt8,
        _ lengths: ClosedRange<Int>,
        to body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Int {
        guard try passHeld(of: type, lengths, to: body) else { return 0 }
        var position = 0
        while position < input.count {
            switch place {
            case .header:
                header = header << 8 | UInt32(input[position])
                headerCount += 1
                position += 1
                guard headerCount == WireLimits.headerByteCount else { continue }
                guard passes(header, type, lengths) else {
                    beginPayload()
                    return position
                }
                place = .passed(missing: Int(header & 0xFF_FFFF))
                (header, headerCount) = (0, 0)
            case .passed(let missing):
                let piece = UnsafeRawBufferPointer(rebasing: input[position...].prefix(missing))
                position += piece.count
                place = missing > piece.count ? .passed(missing: missing - piece.count) : .header
                try body(piece)
            case .small, .large, .skipped, .refused:
                return position
            }
        }
        return position
    }

    private func passes(_ header: UInt32, _ type: UInt8, _ lengths: ClosedRange<Int>) -> Bool {
        UInt8(header >> 24) == type && lengths.contains(Int(header & 0xFF_FFFF))
    }

    /// Passes the stored beginning of a large frame, which arrived before the caller asked for pieces.
    ///
    /// - Returns: true if nothing is stored afterwards
    private mutating func passHeld(
        of type: UInt8,
        _ lengths: ClosedRange<Int>,
        to body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Bool {
        guard start < held.count else { return true }
        guard case .large(let missing) = place, held.count - start == WireLimits.headerByteCount,
            passes(headerValueAtStart, type, lengths)
        else { return false }
        let payload = payloads[payloadsTaken]
        discard()
        place = .passed(missing: missing)
        if !payload.isEmpty { try payload.withUnsafeBytes(body) }
        return true
    }

    private var headerValueAtStart: UInt32 {
        held[start..<(start + WireLimits.headerByteCount)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
