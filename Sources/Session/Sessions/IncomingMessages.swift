import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// The messages from one member: those in pieces, and whole ones that the program has not taken yet. What they hold is the peer's.
@Engine
final class IncomingMessages {
    /// What the rest of a membership takes, and how much of messages is held with it, so that small ones ask nobody.
    private static let membership = free + (16 << 10)
    private static let free = 64 << 10
    private static let step = 64 << 10

    private let allowance: Allowance
    private let place: MemoryShare?
    private var holding: Holding
    private var window = ReceiveWindow()
    private var assembler = MessageAssembler()
    /// How many bytes of messages wait that may get lost.
    private var looseCount = 0
    /// What of the backlog of the peer is this one's, in steps.
    private var backlog = 0
    /// Whether there was room for one more member.
    var hasPlace: Bool { place != nil }

    init(of allowance: Allowance) {
        self.allowance = allowance
        place = MemoryShare(Self.membership, of: allowance)
        holding = Holding(of: allowance, free: Self.free)
    }

    deinit {
        if backlog != 0 { allowance.changeBacklog(by: -backlog) }
    }

    /// The last that came whole.
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

    /// A message that may get lost has come. Answers whether there is room for it until ``tookLoose(_:)``.
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

    /// The program has taken one that could have got lost.
    func tookLoose(_ byteCount: Int) {
        looseCount -= byteCount
        shrunk()
    }

    /// The program has taken the oldest. Answers what is said of that to the peer, where it is time to.
    func consumeNext() -> UInt64? {
        let ack = window.consumeNext()
        shrunk()
        return ack
    }

    /// What is said to a peer that is linked again of what was consumed.
    func takeAck() -> UInt64? { window.takeAck() }

    /// The link is gone: what has not come whole will come again.
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
