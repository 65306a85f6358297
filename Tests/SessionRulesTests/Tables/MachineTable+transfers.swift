import SessionRules
import Vocabulary
import Workbench

extension MachineTable where Machine == TransferSending {
    static func transferSending() -> Self {
        var table = Self("transfer-sending") { $0.state.rawValue }
        addRows(&table)
        addPeerColumns(&table)
        addOwnColumns(&table)
        return table
    }

    private static func addRows(_ table: inout Self) {
        for step in TransferSending.Step.allCases {
            table.row(step.rawValue) { try TransferSending.sample(upTo: step) }
        }
        table.row("opening, after the end") {
            try TransferSending.sample(upTo: .awaitingStored) { _ = $0.channelLost(at: .at(5)) }
        }
        table.row("withdrawing") { try TransferSending.sample(upTo: .awaitingStored) { _ = $0.cancel(at: .at(5)) } }
        table.row("interrupted, unanswered") {
            try TransferSending.sample(upTo: .offered) { _ = $0.linkLost(at: .at(5)) }
        }
        table.row("interrupted, after the end") {
            try TransferSending.sample(upTo: .awaitingStored) { _ = $0.linkLost(at: .at(5)) }
        }
        table.row("interrupted") { try TransferSending.sample(upTo: .sending) { _ = $0.linkLost(at: .at(5)) } }
        table.row("stored") {
            try TransferSending.sample(upTo: .awaitingStored) { _ = try $0.receivedStored(at: .at(5)) }
        }
        table.row("refused") {
            try TransferSending.sample(upTo: .offered) { _ = try $0.receivedAnswer(.declined, at: .at(5)) }
        }
        table.row("cancelled") { try TransferSending.sample(upTo: .sending) { _ = $0.cancel(at: .at(5)) } }
        table.row("cancelled, untold") {
            try TransferSending.sample(upTo: .sending) {
                _ = $0.linkLost(at: .at(5))
                _ = $0.cancel(at: .at(5))
            }
        }
        table.row("failed") { try TransferSending.sample(upTo: .sending) { _ = $0.failHere(Sample.fault) } }
    }

    private static func addPeerColumns(_ table: inout Self) {
        table.column("ResourceAnswer yes") { try $0.receivedAnswer(nil, at: .at(6)) }
        table.column("ResourceAnswer no") { try $0.receivedAnswer(.declined, at: .at(6)) }
        table.column("Held") { try $0.receivedHeld(10, at: .at(6)) }
        table.column("Verified") { try $0.receivedVerified(50, at: .at(6)) }
        table.column("Stored") { try $0.receivedStored(at: .at(6)) }
        table.column("Failed") { try $0.receivedFailed(Sample.fault) }
        table.column("TransferCancel") { $0.receivedCancel(.withdrawn) }
    }

    private static func addOwnColumns(_ table: inout Self) {
        let begun: Set = ["awaitingHeld", "sending", "awaitingStored"]
        table.column("channel open", traps: begun.union(["offered"])) { $0.channelOpened(at: .at(6)) }
        table.column("channel lost") { $0.channelLost(at: .at(6)) }
        table.column("all sent", traps: ["offered", "awaitingStored"]) { $0.allSent(at: .at(6)) }
        table.column("cancel") { $0.cancel(at: .at(6)) }
        table.column("fails here") { $0.failHere(Sample.fault) }
        table.column("link lost") { $0.linkLost(at: .at(6)) }
        let linked: Set = ["offered", "opening", "opening, after the end", "withdrawing"]
        table.column("link back", traps: begun.union(linked)) { $0.linkCameBack(at: .at(6)) }
        table.column("peer left") { $0.peerLeft(.left) }
        table.column("deadline") { $0.deadlinePassed(at: .at(7200)) }
    }
}

extension TransferSending {
    enum Step: String, CaseIterable { case offered, opening, awaitingHeld, sending, awaitingStored }

    static func sample(
        upTo last: Step,
        _ next: (inout TransferSending) throws -> Void = { _ in }
    ) throws -> TransferSending {
        var machine = TransferSending(total: 100, at: .at(0))
        for step in Step.allCases.prefix(through: Step.allCases.firstIndex(of: last) ?? 0) {
            switch step {
            case .offered: break
            case .opening: _ = try machine.receivedAnswer(nil, at: .at(1))
            case .awaitingHeld: _ = machine.channelOpened(at: .at(2))
            case .sending: _ = try machine.receivedHeld(0, at: .at(3))
            case .awaitingStored: _ = machine.allSent(at: .at(4))
            }
        }
        try next(&machine)
        return machine
    }
}

extension MachineTable where Machine == TransferReceiving {
    static func transferReceiving() -> Self {
        var table = Self("transfer-receiving") { $0.state.rawValue }
        addRows(&table)
        addPeerColumns(&table)
        addOwnColumns(&table)
        return table
    }

    private static func addRows(_ table: inout Self) {
        for step in TransferReceiving.Step.allCases {
            table.row(step.rawValue) { try TransferReceiving.sample(upTo: step) }
        }
        table.row("finishing, no link") {
            try TransferReceiving.sample(upTo: .finishing) { _ = $0.linkLost(at: .at(5)) }
        }
        table.row("interrupted, unanswered") {
            try TransferReceiving.sample(upTo: .asked) { _ = $0.linkLost(at: .at(5)) }
        }
        table.row("interrupted") { try TransferReceiving.sample(upTo: .receiving) { _ = $0.linkLost(at: .at(5)) } }
        table.row("stored") { try TransferReceiving.sample(upTo: .finishing) { _ = $0.finished() } }
        table.row("refused") { try TransferReceiving.sample(upTo: .asked) { _ = $0.refuse() } }
        table.row("cancelled") { try TransferReceiving.sample(upTo: .receiving) { _ = $0.cancel() } }
        table.row("cancelled, untold") {
            try TransferReceiving.sample(upTo: .receiving) {
                _ = $0.linkLost(at: .at(5))
                _ = $0.cancel()
            }
        }
        table.row("failed") { try TransferReceiving.sample(upTo: .receiving) { _ = $0.failHere(Sample.fault) } }
    }

    private static func addPeerColumns(_ table: inout Self) {
        table.column("ResourceOffer again") { try $0.offeredAgain(at: .at(6)) }
        table.column("ResourceBegin") { try $0.receivedBegin(at: .at(6)) }
        table.column("StartAt") { try $0.receivedStart(0, at: .at(6)) }
        table.column("ResourceEnd") { try $0.receivedEnd(total: 100, at: .at(6)) }
        table.column("Failed") { try $0.receivedFailed(Sample.fault) }
        table.column("TransferCancel") { $0.receivedCancel(.withdrawn) }
    }

    private static func addOwnColumns(_ table: inout Self) {
        let early: Set = ["asked", "awaitingChannel", "measuring", "awaitingStart", "receiving"]
        let interrupted: Set = ["interrupted", "interrupted, unanswered"]
        let linked: Set = ["finishing", "stored", "refused", "cancelled", "failed"]
        table.column("accept") { $0.accept(at: .at(6)) }
        table.column("refuse") { $0.refuse() }
        table.column("measured", traps: ["asked"]) { $0.measured(0, at: .at(6)) }
        table.column("wrote", traps: ["asked"]) { $0.wrote(to: 50, at: .at(6)) }
        table.column("finished", traps: early.union(interrupted)) { $0.finished() }
        table.column("cancel") { $0.cancel() }
        table.column("fails here") { $0.failHere(Sample.fault) }
        table.column("channel lost") { $0.channelLost(at: .at(6)) }
        table.column("link lost") { $0.linkLost(at: .at(6)) }
        table.column("link back", traps: early.union(linked)) { $0.linkCameBack(at: .at(6)) }
        table.column("peer left") { $0.peerLeft(.left) }
        table.column("deadline") { $0.deadlinePassed(at: .at(7200)) }
    }
}

extension TransferReceiving {
    enum Step: String, CaseIterable { case asked, awaitingChannel, measuring, awaitingStart, receiving, finishing }

    static func sample(
        upTo last: Step,
        _ next: (inout TransferReceiving) throws -> Void = { _ in }
    ) throws -> TransferReceiving {
        var machine = TransferReceiving(total: 100, at: .at(0))
        for step in Step.allCases.prefix(through: Step.allCases.firstIndex(of: last) ?? 0) {
            switch step {
            case .asked: break
            case .awaitingChannel: _ = machine.accept(at: .at(1))
            case .measuring: _ = try machine.receivedBegin(at: .at(2))
            case .awaitingStart: _ = machine.measured(0, at: .at(3))
            case .receiving: _ = try machine.receivedStart(0, at: .at(4))
            case .finishing: _ = try machine.receivedEnd(total: 100, at: .at(5))
            }
        }
        try next(&machine)
        return machine
    }
}
