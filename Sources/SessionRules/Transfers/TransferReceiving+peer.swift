public import Vocabulary

// Frames of the sender. A frame that crosses an end has no effect.
extension TransferReceiving {
    /// Handles the same offer once more after a lost link: the sender did not get the answer.
    public mutating func offeredAgain(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .asked: return []
        case .awaitingChannel:
            defer { hasAnsweredHere = true }
            return hasAnsweredHere ? [] : [.sendAnswer(nil)]
        // The answer crossed the offer, and the frames after it came faster over the data channel.
        case .measuring, .awaitingStart, .receiving, .finishing, .stored: return []
        case .refused:
            defer { hasAnsweredHere = true }
            return hasAnsweredHere ? [] : [.sendAnswer(.declined)]
        case .cancelled, .failed: return [.sendCancel(.withdrawn)]
        case .interrupted: throw Self.outOfTurn("ResourceOffer")
        }
    }

    /// Handles ResourceBegin on a data channel.
    public mutating func receivedBegin(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingChannel:
            hasChannel = true
            wait(in: .measuring, for: patience.disk, at: now)
            return [.measure]
        // A second data channel: the first one is dead for the sender, and this side has not noticed yet.
        case .awaitingStart, .receiving:
            wait(in: .measuring, for: patience.disk, at: now)
            return [.replaceChannel, .measure]
        case .measuring: return [.replaceChannel]
        case .finishing:
            defer { hasChannel = true }
            return hasChannel ? [.replaceChannel] : []
        case .stored: return [.sendStored, .closeChannel]
        // A sender that begins has not received the end yet.
        case .cancelled, .failed: return [.sendCancel(.withdrawn), .closeChannel]
        case .asked, .interrupted, .refused: throw Self.outOfTurn("ResourceBegin")
        }
    }

    /// Handles StartAt.
    public mutating func receivedStart(
        _ offset: UInt64,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingStart:
            guard offset <= held else {
                throw ProtocolViolation("transfer.gap", "the peer starts beyond the bytes that are here")
            }
            return startWriting(at: offset, at: now)
        case .asked, .measuring, .receiving, .finishing, .refused, .stored: throw Self.outOfTurn("StartAt")
        // The data channel is closed on this side, but frames that were sent before still arrive.
        case .awaitingChannel, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Handles ResourceEnd.
    public mutating func receivedEnd(
        total: UInt64,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .receiving:
            guard total == progress.total else {
                throw ProtocolViolation("transfer.other-size", "the peer sent another size than it offered")
            }
            wait(in: .finishing, for: patience.disk, at: now)
            return [.finish]
        case .asked, .measuring, .awaitingStart, .finishing, .refused, .stored: throw Self.outOfTurn("ResourceEnd")
        case .awaitingChannel, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Handles Failed.
    public mutating func receivedFailed(_ fault: TransferFault) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .measuring, .awaitingStart, .receiving, .finishing: return end(.failed, .failedThere(fault))
        case .asked, .refused, .stored: throw Self.outOfTurn("Failed")
        case .awaitingChannel, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Handles TransferCancel. The same frame as an answer tells the sender that it was in time. An offer that was
    /// never accepted needs no answer.
    public mutating func receivedCancel(_ reason: PartingReason) -> [Action] {
        let word: [Action] = hasLink && isAccepted ? [.sendCancel(reason)] : []
        return state.isOver ? [] : end(.cancelled, .cancelledThere(reason), saying: word)
    }

    private static func outOfTurn(_ word: String) -> ProtocolViolation {
        ProtocolViolation("transfer.out-of-turn", "the sender of a transfer said \(word) out of turn")
    }
}
