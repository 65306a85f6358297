import SessionRules
import Testing
import TestSupport
import Vocabulary

/// Both machines of a transfer, with a control channel and a data channel between them, which may both break.
struct TransferPlay {
    private enum Word {
        case offer, answer(PartingReason?), cancel(PartingReason)
        case begin, held(UInt64), start(UInt64), data(UInt64), end, verified(UInt64), stored, failed
    }

    private static let total: UInt64 = 20 << 20

    private var generator: SeededGenerator
    private var sending = TransferSending(total: total, at: .at(0))
    private var receiving: TransferReceiving?
    private var control: (there: [Word], back: [Word]) = ([.offer], [])
    private var channel: (there: [Word], back: [Word])?
    private var isChannelWanted = false
    private var channelNumber = 0
    /// The data channel that the receiver uses: the last one on which the transfer began.
    private var receiversChannel = 0
    private var hasLink = true
    private var sent: UInt64 = 0
    private var written: UInt64 = 0
    private var isMeasuring = false
    private var isFinishing = false
    private var now = 0.0
    private(set) var sendingEnds: [TransferOutcome] = []
    private(set) var receivingEnds: [TransferOutcome] = []
    private(set) var isDisturbed = false

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func step() throws {
        now += Double.random(in: 0...0.5, using: &generator)
        switch Int.random(in: 0..<400, using: &generator) {
        case 0: isDisturbed = true; perform(sending.cancel(at: .at(now)))
        case 1: isDisturbed = true; if let actions = receiving?.cancel() { perform(actions) }
        case 2: isDisturbed = true; if let actions = receiving?.failHere(Sample.fault) { perform(actions) }
        case 3..<6: if hasLink { cutLink() }
        case 6..<60: if !hasLink { restoreLink() }
        case 60..<64: loseChannel()
        case 64..<90: if let actions = receiving?.accept(at: .at(now)) { perform(actions) }
        case _: try work()
        }
    }

    /// Takes all steps that are possible without a user or a broken channel. Deadlines come last.
    mutating func settle() throws {
        if !hasLink { restoreLink() }
        for _ in 0..<1500 {
            if let actions = receiving?.accept(at: .at(now)) { perform(actions) }
            try work()
        }
        now += 7200
        perform(sending.deadlinePassed(at: .at(now)))
        if let actions = receiving?.deadlinePassed(at: .at(now)) { perform(actions) }
        #expect(receiving == nil || receiving?.state.isOver == true)
    }

    private mutating func work() throws {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: try deliverControl()
        case 1, 2: try deliverChannel()
        case 3 where isChannelWanted && hasLink:
            isChannelWanted = false
            channel = ([], [])
            channelNumber += 1
            perform(sending.channelOpened(at: .at(now)))
        case 4 where sending.state == .sending && channel != nil: pump()
        case 5 where isMeasuring:
            isMeasuring = false
            if let actions = receiving?.measured(written, at: .at(now)) { perform(actions) }
        case 6 where isFinishing && receiving?.state == .finishing:
            isFinishing = false
            if let actions = receiving?.finished() { perform(actions) }
        case _: break
        }
    }

    private mutating func pump() {
        guard sent < Self.total else {
            perform(sending.allSent(at: .at(now)))
            return
        }
        sent = min(Self.total, sent + 3 << 20)
        channel?.there.append(.data(sent))
    }

    private mutating func cutLink() {
        hasLink = false
        control = ([], [])
        channel = nil
        perform(sending.linkLost(at: .at(now)))
        if let actions = receiving?.linkLost(at: .at(now)) { perform(actions) }
    }

    private mutating func restoreLink() {
        hasLink = true
        if let actions = receiving?.linkCameBack(at: .at(now)) { perform(actions) }
        perform(sending.linkCameBack(at: .at(now)))
    }

    private mutating func loseChannel() {
        guard channel != nil else { return }
        channel = nil
        perform(sending.channelLost(at: .at(now)))
        // Sometimes the receiver does not notice before the next channel opens.
        guard Bool.random(using: &generator) else { return }
        if let actions = receiving?.channelLost(at: .at(now)) { perform(actions) }
    }

    private mutating func deliverControl() throws {
        if Bool.random(using: &generator) {
            if !control.there.isEmpty { try receive(control.there.removeFirst()) }
        } else if !control.back.isEmpty {
            try hear(control.back.removeFirst())
        }
    }

    private mutating func deliverChannel() throws {
        if Bool.random(using: &generator) {
            if let word = channel?.there.first {
                channel?.there.removeFirst()
                try receive(word)
            }
        } else if let word = channel?.back.first {
            channel?.back.removeFirst()
            try hear(word)
        }
    }

    /// Handles a frame at the receiver.
    private mutating func receive(_ word: Word) throws {
        if case .offer = word, receiving == nil {
            receiving = TransferReceiving(total: Self.total, at: .at(now))
            return
        }
        guard var machine = receiving else { return }
        let actions: [TransferReceiving.Action]
        switch word {
        case .offer: actions = try machine.offeredAgain(at: .at(now))
        case .cancel(let reason): actions = machine.receivedCancel(reason)
        case .begin:
            receiversChannel = channelNumber
            actions = try machine.receivedBegin(at: .at(now))
        case .start(let offset): actions = try machine.receivedStart(offset, at: .at(now))
        case .data(let offset):
            if machine.state == .receiving { written = offset }
            actions = machine.wrote(to: offset, at: .at(now))
        case .end: actions = try machine.receivedEnd(total: Self.total, at: .at(now))
        case .failed: actions = try machine.receivedFailed(Sample.fault)
        case .answer, .held, .verified, .stored:
            Issue.record("not a frame of a sender")
            return
        }
        receiving = machine
        perform(actions)
    }

    /// Handles a frame at the sender.
    private mutating func hear(_ word: Word) throws {
        switch word {
        case .answer(let reason): perform(try sending.receivedAnswer(reason, at: .at(now)))
        case .cancel(let reason): perform(sending.receivedCancel(reason))
        case .held(let bytes): perform(try sending.receivedHeld(bytes, at: .at(now)))
        case .verified(let bytes): perform(try sending.receivedVerified(bytes, at: .at(now)))
        case .stored: perform(try sending.receivedStored(at: .at(now)))
        case .failed: perform(try sending.receivedFailed(Sample.fault))
        case .offer, .begin, .start, .data, .end: Issue.record("not a frame of a receiver")
        }
    }

    private mutating func perform(_ actions: [TransferSending.Action]) {
        for action in actions {
            switch action {
            case .sendOffer: control.there.append(.offer)
            case .openChannel: isChannelWanted = true
            case .sendBegin: channel?.there.append(.begin)
            case .send(let held):
                sent = held
                sending.started(at: held, at: .at(now))
                channel?.there.append(.start(held))
            case .sendEnd: channel?.there.append(.end)
            case .sendCancel(let reason): if hasLink { control.there.append(.cancel(reason)) }
            case .sendFailed: channel?.there.append(.failed)
            case .closeChannel:
                isChannelWanted = false
                closeChannel()
            case .end(let outcome): sendingEnds.append(outcome)
            }
        }
    }

    private mutating func perform(_ actions: [TransferReceiving.Action]) {
        for action in actions {
            switch action {
            case .sendAnswer(let reason): control.back.append(.answer(reason))
            case .measure: isMeasuring = true
            case .sendHeld(let bytes): answer(.held(bytes))
            case .receive(let offset): written = offset
            case .sendVerified(let offset): answer(.verified(offset))
            case .finish: isFinishing = true
            case .sendStored: answer(.stored)
            case .sendCancel(let reason): if hasLink { control.back.append(.cancel(reason)) }
            case .sendFailed: answer(.failed)
            // A channel that is closed in order still delivers its frames. The sender closes after it has read them.
            case .closeChannel, .replaceChannel: break
            case .end(let outcome): receivingEnds.append(outcome)
            }
        }
    }

    private mutating func answer(_ word: Word) {
        if receiversChannel == channelNumber { channel?.back.append(word) }
    }

    private mutating func closeChannel() {
        channel = nil
        guard hasLink, let actions = receiving?.channelLost(at: .at(now)) else { return }
        perform(actions)
    }
}
