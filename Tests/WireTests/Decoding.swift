import Wire

/// All frames of a whole stream.
func allFrames<Frame: WireFrame>(of bytes: [UInt8], peerMinor: UInt16 = WireVersion.minor) throws -> [Frame] {
    var decoder = FrameDecoder<Frame>(peerMinor: peerMinor)
    decoder.append(bytes)
    var frames: [Frame] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
}

/// The fault of a stream; nil if it has none.
func error<Frame: WireFrame>(of bytes: [UInt8], _: Frame.Type, peerMinor: UInt16 = WireVersion.minor) -> WireError? {
    var decoder = FrameDecoder<Frame>(peerMinor: peerMinor)
    decoder.append(bytes)
    do throws(WireError) {
        while try decoder.next() != nil {}
        return nil
    } catch {
        return error
    }
}

func fault<Frame: WireFrame>(of bytes: [UInt8], _ type: Frame.Type, peerMinor: UInt16 = WireVersion.minor) -> WireError
    .Fault?
{
    error(of: bytes, type, peerMinor: peerMinor)?.fault
}

/// A header and the bytes after it.
func rawFrame(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type, UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)] + payload
}
