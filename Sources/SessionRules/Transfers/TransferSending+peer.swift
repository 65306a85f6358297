public import Vocabulary

// What the receiver says. What crosses an end comes to nothing.
extension TransferSending {
    /// ResourceAnswer came.
    /// - Parameter refusal: nil where it is wanted
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

    /// Held came.
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
            // What is held is read again here first, which takes a disk its time.
            deadline = now + patience.disk
            return [.send(held: bytes)]
        // Whoever says what it holds has not stored it, and will hear that it need not.
        case .withdrawing: return end(.cancelled, .cancelledHere(withdrawal))
        case .sending, .awaitingStored: throw Self.outOfTurn("Held")
        // The lane is closed on this side, but what was on its way still comes.
        case .opening, .interrupted, .stored, .cancelled, .failed: return []
        case .offered, .refused: throw Self.outOfTurn("Held")
        }
    }

    /// Digests were compared: this is where the bytes begin.
    public mutating func started(at offset: UInt64, at now: ContinuousClock.Instant) {
        guard state == .sending else { return }
        progress.resume(from: offset, at: now)
        deadline = now + patience.stall
    }

    /// Verified came.
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

    /// Stored came. It also comes instead of Held where the last word was lost in a cut.
    public mutating func receivedStored(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingHeld, .awaitingStored, .withdrawing:
            progress.moved(to: progress.total, at: now)
            return end(.stored, .stored)
        case .offered, .sending, .refused, .stored: throw Self.outOfTurn("Stored")
        case .opening, .interrupted, .cancelled, .failed: return []
        }
    }

    /// Failed came.
    public mutating func receivedFailed(_ fault: TransferFault) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingHeld, .sending, .awaitingStored: return end(.failed, .failedThere(fault))
        case .withdrawing: return end(.cancelled, .cancelledHere(withdrawal))
        case .offered, .refused, .stored: throw Self.outOfTurn("Failed")
        case .opening, .interrupted, .cancelled, .failed: return []
        }
    }

    /// TransferCancel came.
    public mutating func receivedCancel(_ reason: PartingReason) -> [Action] {
        if state == .withdrawing { return end(.cancelled, .cancelledHere(withdrawal)) }
        return state.isOver ? [] : end(.cancelled, .cancelledThere(reason))
    }

    private static func outOfTurn(_ word: String) -> ProtocolViolation {
        ProtocolViolation("transfer.out-of-turn", "the receiver of a transfer said \(word) out of turn")
    }
}
