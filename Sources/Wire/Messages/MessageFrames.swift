public import Vocabulary

/// The frames of one message, made one at a time, so that the sender can put other frames between them.
public struct MessageFrames: Sequence, IteratorProtocol, Sendable {
    private let session: SessionID
    private let sequence: UInt64
    private let total: Int
    private var rest: ArraySlice<UInt8>
    private var hasBegun = false

    /// - Precondition: the message is within the limit, and its number is not 0
    public init(of message: ArraySlice<UInt8>, session: SessionID, sequence: UInt64) {
        precondition(message.count <= WireLimits.message, "the caller checks the size of an application's message")
        precondition(sequence > 0, "messages are numbered from 1")
        self.session = session
        self.sequence = sequence
        total = message.count
        rest = message
    }

    /// The next frame; nil after the last.
    public mutating func next() -> ControlFrame? {
        guard hasBegun else {
            hasBegun = true
            return .message(
                .init(session: session, sequence: sequence, total: total, bytes: take(WireLimits.firstPart))
            )
        }
        guard !rest.isEmpty else { return nil }
        return .messagePart(.init(session: session, sequence: sequence, bytes: take(WireLimits.furtherPart)))
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
