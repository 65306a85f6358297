import SessionRules
import Vocabulary
import Workbench

extension MachineTable where Machine == OutgoingInvitation {
    static func outgoingInvitation() -> Self {
        var table = Self("outgoing-invitation") { $0.state.rawValue }
        addRows(&table)
        addPeerColumns(&table)
        table.column("link up") { $0.linkCameUp(binding: Sample.binding, nonce: Sample.nonce(9), at: .at(1)) }
        table.column("link lost") { $0.linkLost(.lost) }
        table.column("confirm") { $0.confirm() }
        table.column("right code") { machine in machine.typed(machine.code ?? Sample.code(0)) }
        table.column("wrong code") { machine in
            machine.typed(Sample.code(((machine.code?.number ?? 0) + 1) % 1_000_000))
        }
        table.column("withdraw") { $0.withdraw() }
        table.column("give way") { $0.giveWay() }
        table.column("deadline") { $0.deadlinePassed(at: .at(3600)) }
        return table
    }

    private static func addPeerColumns(_ table: inout Self) {
        table.column("PairNonce") { try $0.receivedNonce(Sample.nonce(2), codeNeeded: false, at: .at(2)) }
        table.column("PairConfirm") { try $0.receivedConfirm() }
        table.column("InviteAnswer yes") { try $0.receivedAnswer(nil) }
        table.column("InviteAnswer no") { try $0.receivedAnswer(.declined) }
    }

    private static func addRows(_ table: inout Self) {
        table.row("connecting") { OutgoingInvitation.sample() }
        table.row("sent") { OutgoingInvitation.sample().linked() }
        table.row("codeShown") { try OutgoingInvitation.sample().shown() }
        table.row("confirmedHere") { try OutgoingInvitation.sample().shown { _ = $0.confirm() } }
        table.row("confirmedThere") { try OutgoingInvitation.sample().shown { _ = try $0.receivedConfirm() } }
        table.row("confirmedByBoth") { try OutgoingInvitation.sample().shown(OutgoingInvitation.confirmBoth) }
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
        OutgoingInvitation(Sample.recipe, codeNeeded: codeNeeded, at: .at(0))
    }

    static func confirmBoth(_ machine: inout OutgoingInvitation) throws {
        _ = machine.confirm()
        _ = try machine.receivedConfirm()
    }

    func linked() -> OutgoingInvitation {
        var machine = self
        _ = machine.linkCameUp(binding: Sample.binding, nonce: Sample.nonce(1), at: .at(1))
        return machine
    }

    func shown(_ next: (inout OutgoingInvitation) throws -> Void = { _ in }) throws -> OutgoingInvitation {
        var machine = linked()
        _ = try machine.receivedNonce(Sample.nonce(2), codeNeeded: false, at: .at(2))
        try next(&machine)
        return machine
    }
}

extension MachineTable where Machine == IncomingInvitation {
    static func incomingInvitation() -> Self {
        var table = Self("incoming-invitation") { $0.state.rawValue }
        addRows(&table)
        addSilentRows(&table)
        table.column("PairReveal") { try $0.receivedReveal(Sample.nonce(1)) }
        table.column("PairConfirm") { try $0.receivedConfirm(at: .at(2)) }
        table.column("InviteCancel") { try $0.receivedCancel(.withdrawn) }
        table.column("Members") { try $0.receivedWelcome() }
        table.column("link lost") { $0.linkLost(.lost) }
        table.column("confirm") { $0.confirm(at: .at(2)) }
        table.column("right code") { machine in machine.typed(machine.code ?? Sample.code(0), at: .at(2)) }
        table.column("wrong code") { machine in
            machine.typed(Sample.code(((machine.code?.number ?? 0) + 1) % 1_000_000), at: .at(2))
        }
        table.column("decline") { $0.decline() }
        table.column("deadline") { $0.deadlinePassed(at: .at(3600)) }
        return table
    }

    private static func addRows(_ table: inout Self) {
        table.row("awaitingReveal") { IncomingInvitation.sample() }
        table.row("asking") { IncomingInvitation.sample(codeNeeded: false) }
        table.row("codeShown") { try IncomingInvitation.sample().shown() }
        table.row("confirmedHere") { try IncomingInvitation.sample().shown { _ = $0.confirm(at: .at(1)) } }
        table.row("confirmedThere") { try IncomingInvitation.sample().shown { _ = try $0.receivedConfirm(at: .at(1)) } }
        table.row("answered") { try IncomingInvitation.sample().shown(IncomingInvitation.confirmBoth) }
        table.row("joined") {
            try IncomingInvitation.sample().shown {
                try IncomingInvitation.confirmBoth(&$0)
                _ = try $0.receivedWelcome()
            }
        }
        table.row("declined") { try IncomingInvitation.sample().shown { _ = $0.decline() } }
        table.row("withdrawn") { try IncomingInvitation.sample().shown { _ = try $0.receivedCancel(.withdrawn) } }
        table.row("timedOut") { try IncomingInvitation.sample().shown { _ = $0.deadlinePassed(at: .at(3600)) } }
        table.row("lost") { try IncomingInvitation.sample().shown { _ = $0.linkLost(.lost) } }
    }

    private static func addSilentRows(_ table: inout Self) {
        table.row("awaitingReveal, silent") { IncomingInvitation.sample(.silence) }
        table.row("asking, silent") { IncomingInvitation.sample(.silence, codeNeeded: false) }
        table.row("codeShown, silent") { try IncomingInvitation.sample(.silence).shown() }
        table.row("confirmedThere, silent") {
            try IncomingInvitation.sample(.silence).shown { _ = try $0.receivedConfirm(at: .at(1)) }
        }
    }
}

extension IncomingInvitation {
    static func sample(_ verdict: Decision.Verdict = .ask, codeNeeded: Bool = true) -> IncomingInvitation {
        var machine = fresh(verdict, codeNeeded: codeNeeded)
        _ = machine.begin(at: .at(0))
        return machine
    }

    static func fresh(_ verdict: Decision.Verdict, codeNeeded: Bool) -> IncomingInvitation {
        let opening = Opening(
            commitment: Sample.recipe.commitment(to: Sample.nonce(1)),
            codeNeededThere: false,
            codeNeededHere: codeNeeded,
            verdict: verdict
        )
        return IncomingInvitation(
            opening,
            Sample.recipe,
            binding: Sample.binding,
            nonce: Sample.nonce(2),
            patience: InvitationPatience(),
            at: .at(0)
        )
    }

    static func confirmBoth(_ machine: inout IncomingInvitation) throws {
        _ = machine.confirm(at: .at(1))
        _ = try machine.receivedConfirm(at: .at(1))
    }

    func shown(_ next: (inout IncomingInvitation) throws -> Void = { _ in }) throws -> IncomingInvitation {
        var machine = self
        _ = try machine.receivedReveal(Sample.nonce(1))
        try next(&machine)
        return machine
    }
}
