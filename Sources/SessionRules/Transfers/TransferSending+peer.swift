public import Vocabulary

// Frames of the receiver. A frame that crosses an end has no effect.
extension TransferSending {
    /// Handles ResourceAnswer.
    ///
    /// - Parameter refusal: the reason; nil if the receiver accepts
    public mutating func receivedAnswer(
        _ refusal: PartingReason?,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .offered:
            isAnswered = true
            guard let refusal else { return open(at: now) }
            return end(.refused, .refused(refusal))
        case .opening, .awaitingHeld, .sending, .awaitingStored, .withdrawing, .interrupted, .stored, .refused:
            throw ProtocolViolation("transfer.unexpected-answer", "the peer answered an offer twice")
        case .cancelled, .failed: return []
        }
    }

    /// Handles Held.
    public mutating func receivedHeld(
        _ bytes: UInt64,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingHeld:
            guard bytes <= progress.total else {
                throw ProtocolViolation("transfer.holds-too-much", "the peer says it holds more than there is")
            }
            state = .sending
            mayBeStored = false
            // This side first reads the same bytes again to compare them, which takes the disk some time.
            deadline = now + patience.disk
            return [.send(held: bytes)]
        // A receiver that sends Held has not stored it, and gets the cancellation.
        case .withdrawing: return end(.cancelled, .cancelledHere(withdrawal))
        case .sending, .awaitingStored: throw Self.outOfTurn("Held")
        // The data channel is closed on this side, but frames that were sent before still arrive.
        case .opening, .interrupted, .stored, .cancelled, .failed: return []
        case .offered, .refused: throw Self.outOfTurn("Held")
        }
    }

    /// Notes the offset at which the bytes begin, after the digests were compared.
    public mutating func started(at offset: UInt64, at now: ContinuousClock.Instant) {
        guard state == .sending else { return }
        progress.resume(from: offset, at: now)
        deadline = now + patience.stall
    }

    /// Handles Verified.
    public mutating func receivedVerified(
        _ bytes: UInt64,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .sending, .awaitingStored:
            guard bytes <= progress.total, bytes >= progress.done else {
                throw ProtocolViolation("transfer.impossible-progress", "the peer counts backwards, or beyond the end")
            }
            bytesArrived(bytes, at: now)
            deadline = now + (state == .sending ? patience.stall : patience.disk)
            return []
        case .offered, .awaitingHeld, .refused: throw Self.outOfTurn("Verified")
        case .opening, .withdrawing, .interrupted, .stored, .cancelled, .failed: return []
        }
    }

    /// Handles Stored. It also comes instead of Held if it was lost with a link before.
    public mutating func receivedStored(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingHeld, .awaitingStored, .withdrawing:
            progress.moved(to: progress.total, at: now)
            return end(.stored, .stored)
        case .offered, .sending, .refused, .stored: throw Self.outOfTurn("Stored")
        case .opening, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Handles Failed.
    public mutating func receivedFailed(_ fault: TransferFault) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingHeld, .sending, .awaitingStored: return end(.failed, .failedThere(fault))
        case .withdrawing: return end(.cancelled, .cancelledHere(withdrawal))
        case .offered, .refused, .stored: throw Self.outOfTurn("Failed")
        case .opening, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Handles TransferCancel.
    public mutating func receivedCancel(_ reason: PartingReason) -> [Action] {
        if state == .withdrawing { return end(.cancelled, .cancelledHere(withdrawal)) }
        return state.isOver ? [] : end(.cancelled, .cancelledThere(reason))
    }

    private static func outOfTurn(_ word: String) -> ProtocolViolation {
        ProtocolViolation("transfer.out-of-turn", "the receiver of a transfer said \(word) out of turn")
    }
}
