public import Vocabulary

// What the sender says. What crosses an end comes to nothing.
extension TransferReceiving {
    /// The same offer came again, after a cut: the sender did not get the answer.
    public mutating func offeredAgain(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .asked: return []
        case .awaitingLane:
            defer { hasAnsweredHere = true }
            return hasAnsweredHere ? [] : [.sendAnswer(nil)]
        // The answer crossed the offer, and what followed came faster over the lane.
        case .measuring, .awaitingStart, .receiving, .finishing, .stored: return []
        case .refused:
            defer { hasAnsweredHere = true }
            return hasAnsweredHere ? [] : [.sendAnswer(.declined)]
        case .cancelled, .failed: return [.sendCancel(.withdrawn)]
        case .interrupted: throw Self.outOfTurn("ResourceOffer")
        }
    }

    /// ResourceBegin came on a lane.
    public mutating func receivedBegin(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingLane:
            hasLane = true
            wait(in: .measuring, for: patience.disk, at: now)
            return [.measure]
        // A second lane: the first is dead over there, and this side has not noticed yet.
        case .awaitingStart, .receiving:
            wait(in: .measuring, for: patience.disk, at: now)
            return [.replaceLane, .measure]
        case .measuring: return [.replaceLane]
        case .finishing:
            defer { hasLane = true }
            return hasLane ? [.replaceLane] : []
        case .stored: return [.sendStored, .closeLane]
        // Whoever begins has not heard of the end.
        case .cancelled, .failed: return [.sendCancel(.withdrawn), .closeLane]
        case .asked, .interrupted, .refused: throw Self.outOfTurn("ResourceBegin")
        }
    }

    /// StartAt came.
    public mutating func receivedStart(
        _ offset: UInt64,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingStart:
            guard offset <= held else {
                throw ProtocolViolation("transfer.gap", "the peer would start beyond what is held")
            }
            return startWriting(at: offset, at: now)
        case .asked, .measuring, .receiving, .finishing, .refused, .stored: throw Self.outOfTurn("StartAt")
        // The lane is closed on this side, but what was on its way still comes.
        case .awaitingLane, .interrupted, .cancelled, .failed: return []
        }
    }

    /// ResourceEnd came.
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
        case .awaitingLane, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Failed came.
    public mutating func receivedFailed(_ fault: TransferFault) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .measuring, .awaitingStart, .receiving, .finishing: return end(.failed, .failedThere(fault))
        case .asked, .refused, .stored: throw Self.outOfTurn("Failed")
        case .awaitingLane, .interrupted, .cancelled, .failed: return []
        }
    }

    /// TransferCancel came. Saying it back tells the sender that it was in time; of what was never wanted it knows that anyway.
    public mutating func receivedCancel(_ reason: PartingReason) -> [Action] {
        let word: [Action] = hasLink && isAccepted ? [.sendCancel(reason)] : []
        return state.isOver ? [] : end(.cancelled, .cancelledThere(reason), saying: word)
    }

    private static func outOfTurn(_ word: String) -> ProtocolViolation {
        ProtocolViolation("transfer.out-of-turn", "the sender of a transfer said \(word) out of turn")
    }
}
