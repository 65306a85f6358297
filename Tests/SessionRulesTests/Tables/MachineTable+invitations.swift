import SessionRules
import Vocabulary
import Workbench

extension MachineTable where Machine == OutgoingInvitation {
    static func outgoingInvitation() -> Self {
        var table = Self("outgoing-invitation") { $0.state.rawValue }
        addRows(&table)
        addPeerColumns(&table)
        table.column("link up") { $0.linkCameUp(at: .at(1)) }
        table.column("link lost") { $0.linkLost(.lost) }
        table.column("withdraw") { $0.withdraw() }
        table.column("give way") { $0.giveWay() }
        table.column("deadline") { $0.deadlinePassed(at: .at(3600)) }
        return table
    }

    private static func addPeerColumns(_ table: inout Self) {
        table.column("InviteReceived") { try $0.receivedReceipt(codeNeeded: false, at: .at(2)) }
        table.column("PairShare") { try $0.receivedShare(at: .at(2)) }
        table.column("right PairConfirm") { try $0.receivedConfirm(isRight: true, at: .at(2)) }
        table.column("wrong PairConfirm") { try $0.receivedConfirm(isRight: false, at: .at(2)) }
        table.column("InviteAnswer yes") { try $0.receivedAnswer(nil) }
        table.column("InviteAnswer no") { try $0.receivedAnswer(.declined) }
    }

    private static func addRows(_ table: inout Self) {
        table.row("connecting") { OutgoingInvitation.sample() }
        table.row("sent") { OutgoingInvitation.sample().linked() }
        table.row("codeShown") { try OutgoingInvitation.sample().shown() }
        table.row("codeShown, wanted there only") {
            var machine = OutgoingInvitation.sample(codeNeeded: false).linked()
            _ = try machine.receivedReceipt(codeNeeded: true, at: .at(2))
            return machine
        }
        table.row("proving") { try OutgoingInvitation.sample().shown { _ = try $0.receivedShare(at: .at(2)) } }
        table.row("proven") { try OutgoingInvitation.sample().shown(OutgoingInvitation.prove) }
        table.row("waiting") { try OutgoingInvitation.sample(codeNeeded: false).shown() }
        table.row("accepted") {
            try OutgoingInvitation.sample(codeNeeded: false).shown { _ = try $0.receivedAnswer(nil) }
        }
        table.row("refused") { try OutgoingInvitation.sample().shown { _ = try $0.receivedAnswer(.declined) } }
        table.row("withdrawn") { try OutgoingInvitation.sample().shown { _ = $0.withdraw() } }
        table.row("lost") { try OutgoingInvitation.sample().shown { _ = $0.linkLost(.lost) } }
    }
}

extension OutgoingInvitation {
    static func sample(codeNeeded: Bool = true) -> OutgoingInvitation {
        OutgoingInvitation(code: Sample.code(482_913), codeNeeded: codeNeeded, at: .at(0))
    }

    static func prove(_ machine: inout OutgoingInvitation) throws {
        _ = try machine.receivedShare(at: .at(2))
        _ = try machine.receivedConfirm(isRight: true, at: .at(2))
    }

    func linked() -> OutgoingInvitation {
        var machine = self
        _ = machine.linkCameUp(at: .at(1))
        return machine
    }

    func shown(_ next: (inout OutgoingInvitation) throws -> Void = { _ in }) throws -> OutgoingInvitation {
        var machine = linked()
        _ = try machine.receivedReceipt(codeNeeded: false, at: .at(2))
        try next(&machine)
        return machine
    }
}

extension MachineTable where Machine == IncomingInvitation {
    static func incomingInvitation() -> Self {
        var table = Self("incoming-invitation") { $0.state.rawValue }
        addRows(&table)
        table.column("right PairReply") { try $0.receivedReply(isRight: true, at: .at(2)) }
        table.column("wrong PairReply") { try $0.receivedReply(isRight: false, at: .at(2)) }
        table.column("InviteCancel") { try $0.receivedCancel(.withdrawn) }
        table.column("Members") { try $0.receivedWelcome() }
        table.column("link lost") { $0.linkLost(.lost) }
        table.column("yes") { $0.accept(at: .at(2)) }
        table.column("code typed") { $0.typed(Sample.code(482_913), at: .at(2)) }
        table.column("decline") { $0.decline() }
        table.column("deadline") { $0.deadlinePassed(at: .at(3600)) }
        return table
    }

    private static func addRows(_ table: inout Self) {
        table.row("arrived") { IncomingInvitation.fresh(.ask) }
        table.row("asking") { IncomingInvitation.sample(codeNeeded: .none) }
        table.row("codeWanted") { IncomingInvitation.sample() }
        table.row("codeWanted, here only") { IncomingInvitation.sample(codeNeeded: .here) }
        table.row("proving") { try IncomingInvitation.sample().after { _ = $0.typed(Sample.code(1), at: .at(1)) } }
        table.row("answered") { try IncomingInvitation.sample().after(IncomingInvitation.prove) }
        table.row("joined") {
            try IncomingInvitation.sample().after {
                try IncomingInvitation.prove(&$0)
                _ = try $0.receivedWelcome()
            }
        }
        table.row("declined") { try IncomingInvitation.sample().after { _ = $0.decline() } }
        table.row("withdrawn") { try IncomingInvitation.sample().after { _ = try $0.receivedCancel(.withdrawn) } }
        table.row("timedOut") { try IncomingInvitation.sample().after { _ = $0.deadlinePassed(at: .at(3600)) } }
        table.row("lost") { try IncomingInvitation.sample().after { _ = $0.linkLost(.lost) } }
        table.row("asking, silent") { IncomingInvitation.sample(.silence, codeNeeded: .none) }
        table.row("codeWanted, silent") { IncomingInvitation.sample(.silence) }
    }
}

extension IncomingInvitation {
    static func sample(_ verdict: Decision.Verdict = .ask, codeNeeded: CodeNeed = .there) -> IncomingInvitation {
        var machine = fresh(verdict, codeNeeded: codeNeeded)
        _ = machine.begin(at: .at(0))
        return machine
    }

    static func fresh(_ verdict: Decision.Verdict, codeNeeded: CodeNeed = .there) -> IncomingInvitation {
        IncomingInvitation(
            Opening(
                codeNeededThere: codeNeeded == .there,
                codeNeededHere: codeNeeded == .here,
                verdict: verdict
            ),
            patience: InvitationPatience()
        )
    }

    static func prove(_ machine: inout IncomingInvitation) throws {
        _ = machine.typed(Sample.code(1), at: .at(1))
        _ = try machine.receivedReply(isRight: true, at: .at(1))
    }

    func after(_ next: (inout IncomingInvitation) throws -> Void) throws -> IncomingInvitation {
        var machine = self
        try next(&machine)
        return machine
    }
}
