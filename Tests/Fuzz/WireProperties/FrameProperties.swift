import Wire

/// The properties of the bytes of one data channel.
struct FrameProperties<Frame: WireFrame> {
    let peerMinor: UInt16
    let seed: UInt8

    func violation(for bytes: ArraySlice<UInt8>) -> String? {
        let (frames, error) = decode(bytes)
        let cut = decodeInPieces(bytes)
        if let complaint = cut.complaint { return complaint }
        guard cut.frames == frames, cut.error == error else { return "the cut of the stream makes a difference" }
        return roundTripViolation(frames) ?? canonicalViolation(frames, in: bytes, error: error)
    }

    /// Frames that were read are written so that they are read as the same again.
    private func roundTripViolation(_ frames: [Frame]) -> String? {
        for frame in frames {
            let (again, error) = decode(frame.encoded[...])
            guard again == [frame], error == nil else { return "\(frame) does not come back" }
        }
        return nil
    }

    /// A peer of the same version has one form of each frame.
    private func canonicalViolation(_ frames: [Frame], in bytes: ArraySlice<UInt8>, error: WireError?) -> String? {
        guard peerMinor <= WireVersion.minor, error == nil,
            !frames.contains(where: { WireVersion.isNewer($0.announcedMinor ?? 0) })
        else {
            return nil
        }
        let written = frames.flatMap(\.encoded)
        let read = knownFrames(in: bytes)
        return written == read ? nil : "frames are written differently than they were read"
    }

    /// The whole frames of a stream without those that are skipped.
    private func knownFrames(in bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (rest, kept) = (bytes, [UInt8]())
        while rest.count >= 4 {
            let header = Array(rest.prefix(4))
            let count = 4 + Int(header[1]) << 16 + Int(header[2]) << 8 + Int(header[3])
            guard rest.count >= count else { break }
            if header[0] < 0x80 { kept += rest.prefix(count) }
            rest = rest.dropFirst(count)
        }
        return kept
    }

    private func decode(_ bytes: ArraySlice<UInt8>) -> (frames: [Frame], error: WireError?) {
        var decoder = FrameDecoder<Frame>(peerMinor: peerMinor)
        decoder.append(bytes)
        return drain(&decoder)
    }

    private func drain(_ decoder: inout FrameDecoder<Frame>) -> (frames: [Frame], error: WireError?) {
        var frames: [Frame] = []
        do throws(WireError) {
            while let frame = try decoder.next() { frames.append(frame) }
            return (frames, nil)
        } catch {
            return (frames, error)
        }
    }

    private func decodeInPieces(
        _ bytes: ArraySlice<UInt8>
    ) -> (frames: [Frame], error: WireError?, complaint: String?) {
        var decoder = FrameDecoder<Frame>(peerMinor: peerMinor)
        var (rest, frames, step) = (bytes, [Frame](), UInt(seed))
        while !rest.isEmpty {
            step = (step &* 31 &+ 7) % 97
            decoder.append(rest.prefix(Int(step) + 1))
            rest = rest.dropFirst(Int(step) + 1)
            let (more, error) = drain(&decoder)
            frames += more
            if let error { return (frames, error, decoder.heldByteCount == 0 ? nil : "bytes are held after a failure") }
            guard decoder.heldByteCount < Frame.payloadLimit + WireLimits.headerByteCount else {
                return (frames, nil, "more than one frame is held")
            }
        }
        return (frames, nil, nil)
    }
}
