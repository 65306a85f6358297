public import Vocabulary

/// What travels on a further lane: one stream or one resource.
public enum LaneFrame: WireFrame {
    /// The first frame, from the side that dialled.
    case open(LaneOpen)
    /// The answer: the lane belongs to the link.
    case ready

    /// The lane becomes a stream.
    case streamBegin(StreamBegin)
    /// The stream is taken.
    case streamTaken
    /// 1 byte to 1 MiB of a stream or a resource.
    case data(ArraySlice<UInt8>)
    /// The stream ended cleanly.
    case end
    /// It ended otherwise.
    case abort(Abort)

    /// The lane carries this resource; from its sender.
    case resourceBegin(TransferID)
    /// What the receiver holds of it already.
    case held(Held)
    /// From where the sender goes on.
    case startAt(UInt64)
    /// All bytes have been sent.
    case resourceEnd(ResourceEnd)
    /// The receiver has it, under this name.
    case stored(FileName)
    /// How many bytes the receiver has safely.
    case verified(UInt64)
    /// The transfer failed on the sending side of this frame.
    case failed(Failed)
}

/// The numbers of the frames.
enum LaneFrameType: UInt8, CaseIterable {
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
