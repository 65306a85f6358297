public import Vocabulary

/// A frame of a data channel, which carries one stream or one resource.
public enum ChannelFrame: WireFrame {
    /// The first frame, from the side that dialled.
    case open(Open)
    /// The answer: the channel belongs to the link.
    case ready

    /// The channel becomes a stream.
    case streamBegin(StreamBegin)
    /// The peer accepts the stream.
    case streamTaken
    /// 1 byte to 1 MiB of a stream or a resource.
    case data(ArraySlice<UInt8>)
    /// The stream ended cleanly.
    case end
    /// The stream ended early.
    case abort(Abort)

    /// The channel carries this resource, as the sender says.
    case resourceBegin(TransferID)
    /// The part of the resource that the receiver holds already.
    case held(Held)
    /// The offset at which the sender continues, in bytes.
    case startAt(UInt64)
    /// The sender has sent all bytes.
    case resourceEnd(ResourceEnd)
    /// The receiver stored the resource under this name.
    case stored(FileName)
    /// The number of bytes that the receiver has stored safely.
    case verified(UInt64)
    /// The transfer failed on the machine that sends this frame.
    case failed(Failed)
}

/// The first byte of each frame.
enum ChannelFrameType: UInt8, CaseIterable {
    case open = 0x60
    case ready = 0x61
    case streamBegin = 0x62
    case streamTaken = 0x63
    case data = 0x64
    case end = 0x65
    case abort = 0x66
    case resourceBegin = 0x67
    case held = 0x68
    case startAt = 0x69
    case resourceEnd = 0x6A
    case stored = 0x6B
    case verified = 0x6C
    case failed = 0x6D
}
