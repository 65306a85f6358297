import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// The messages from one member: parts, and whole messages that the program has not taken yet. The peer's account pays.
@Engine
final class IncomingMessages {
    /// The memory of a membership, with room for small messages that need no further account.
    private static let membership = free + (16 << 10)
    private static let free = 64 << 10
    private static let step = 64 << 10

    private let allowance: Allowance
    private let place: MemoryShare?
    private var holding: Holding
    private var window = ReceiveWindow()
    private var assembler = MessageAssembler()
    /// The bytes of waiting messages that may get lost.
    private var looseCount = 0
    /// The part of the peer's backlog that is in this session, in steps.
    private var backlog = 0
    /// True if there was room for one more member.
    var hasPlace: Bool { place != nil }

    init(of allowance: Allowance) {
        self.allowance = allowance
        place = MemoryShare(Self.membership, of: allowance)
        holding = Holding(of: allowance, free: Self.free)
    }

    deinit {
        if backlog != 0 { allowance.changeBacklog(by: -backlog) }
    }

    /// The number of the last message that arrived whole.
    var received: UInt64 { window.received }

    func take(_ message: ControlFrame.Message) throws -> MessageAssembler.Whole? {
        try window.begin(message.sequence, byteCount: message.total)
        guard account() else { throw SessionError(.full) }
        return try assembler.take(message).map(complete)
    }

    func take(_ part: ControlFrame.MessagePart) throws -> MessageAssembler.Whole? {
        try assembler.take(part).map(complete)
    }

    private func complete(_ whole: MessageAssembler.Whole) -> MessageAssembler.Whole {
        window.complete()
        noteBacklog()
        return whole
    }

    /// Takes a message that may get lost. Returns true if there is room for it until ``tookLoose(_:)``.
    func takeLoose(_ byteCount: Int) -> Bool {
        guard !allowance.isBacklogged else { return false }
        looseCount += byteCount
        guard account() else {
            looseCount -= byteCount
            return false
        }
        noteBacklog()
        return true
    }

    /// Releases the room of a message that the program has taken.
    func tookLoose(_ byteCount: Int) {
        looseCount -= byteCount
        shrunk()
    }

    /// Handles that the program has taken the oldest message. Returns the number for an acknowledgement, if one is due.
    func consumeNext() -> UInt64? {
        let ack = window.consumeNext()
        shrunk()
        return ack
    }

    /// The number for an acknowledgement on a new link.
    func takeAck() -> UInt64? { window.takeAck() }

    /// Handles a lost link: messages that did not arrive whole will be sent again.
    func cut() {
        window.cut()
        assembler.forgetUnfinished()
        shrunk()
    }

    private func shrunk() {
        _ = account()
        noteBacklog()
    }

    private func account() -> Bool { holding.hold(window.heldWeight + looseCount) }

    private func noteBacklog() {
        let now = (window.unconsumedWeight + looseCount) / Self.step * Self.step
        guard now != backlog else { return }
        let change = now - backlog
        backlog = now
        allowance.changeBacklog(by: change)
    }
}
