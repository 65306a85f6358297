import SessionRules
import Vocabulary

/// A pairing with a machine in between that has two keys and controls every connection: all that can happen, step by
/// step.
///
/// Alpha invites, and its user lets it show a code once or twice. Beta is invited, and its user types once or twice:
/// the code that Alpha shows, or a wrong one. Each connection has two honest ends or one; the attacker is the other
/// end. It sends any frame at any time, made by itself or copied from any connection, cuts and replaces connections,
/// and lets time run out.
///
/// The proof of a code is symbolic: it is right only if both sides made it for the same connection, invitation, code
/// and shares. The attacker's own guess is always wrong here, and is counted. So the search is for a way around the
/// guess.
struct PairingModel: Hashable {
    enum Key: Hashable, CaseIterable { case alpha, beta, mallory, oscar }

    /// A connection. Each new one has another binding.
    struct Link: Hashable {
        let number: Int
        let alpha: Bool
        let beta: Bool
        let attacker: Key?
    }

    enum Code: Hashable { case shown(Int), mistyped, guess }

    /// The share of one side of an exchange.
    struct Share: Hashable {
        let maker: Key
        let isInviter: Bool
        let link: Int
        let invitation: Int
        let code: Code
        /// The number of the share among those of the same side.
        let turn: Int
    }

    struct Proof: Hashable {
        var isInviter: Bool
        var link: Int
        let invitation: Int
        var code: Code
        let invited: Share
        let inviter: Share
    }

    /// The faults that the search must never find.
    enum Fault: Error, Hashable {
        case pinned(Key, by: Key, uncompared: Bool)
        case secondAnswer(code: Int)
        case secondTest(typed: Int)
        case uncounted(code: Int)
    }

    // MARK: State

    private struct Sent: Hashable {
        var machine: Kept<OutgoingInvitation>
        var link: Int
        let number: Int
        /// The shares of its code that were answered, and those of them that count as wrong codes.
        var answers = 0
        var counted = 0
        var expects: Proof?
        /// A copy from before its code was answered, for a weakness that goes back there.
        var unanswered: Kept<OutgoingInvitation>?
    }

    private struct Received: Hashable {
        var machine: Kept<IncomingInvitation>
        let invitation: Int
        var share: Share?
        /// The replies to its share that were checked, and those of them that count as wrong codes.
        var tests = 0
        var counted = 0
    }

    let links: [Link]
    private var sent: Sent?
    private var received: [Int: Received] = [:]
    private var invites: [Int: Int] = [:]
    private var acts = 0
    private var typings = 0
    private var shares: Set<Share> = []
    private var proofs: Set<Proof> = []
    /// The frames that wait on a connection between the two honest machines, in order.
    private var toAlpha: [Frame] = []
    private var toBeta: [Frame] = []
    private var compared: Set<Int> = []

    /// The most acts of each user, and the most invitations of the attacker over one connection.
    struct Bounds: Hashable {
        var acts = 2
        var typings = 2
        var invites = 2
    }

    private let bounds: Bounds
    private let weakness: PairingWeakness?

    init(_ links: [Link], _ bounds: Bounds = Bounds(), with weakness: PairingWeakness? = nil) {
        (self.links, self.bounds, self.weakness) = (links, bounds, weakness)
    }

    enum Frame: Hashable {
        case invite(Int, codeNeeded: Bool)
        case receipt(codeNeeded: Bool)
        case share(Share)
        case reply(Share, Proof?)
        case confirm(Proof?)
        case answer(yes: Bool)
        case cancel
        case members
    }

    enum Step: Hashable {
        case invites(over: Int)
        case moves(to: Int)
        case types(Code, at: Int)
        case toAlpha(Int, Frame)
        case toBeta(Int, Frame)
        case delivers(toBeta: Bool)
        case cuts(Int)
        case late(alpha: Bool, Int)
        case givesUp
        case giveWay
        case declines(Int)
    }

    // MARK: Possible steps

    var steps: [Step] {
        var steps: [Step] = []
        if let sent, !sent.machine.value.state.isOver {
            steps += [.givesUp, .giveWay, .late(alpha: true, sent.link), .cuts(sent.link)]
            let peer = links[sent.link].attacker
            steps += links.filter { $0.alpha && $0.attacker == peer && $0.number != sent.link }.map {
                .moves(to: $0.number)
            }
            for link in links where link.alpha && link.attacker != nil {
                guard link.number == sent.link || weakness == .anyLink else { continue }
                steps += framesToAlpha.map { .toAlpha(link.number, $0) }
            }
        } else if acts < bounds.acts {
            steps += links.filter(\.alpha).map { .invites(over: $0.number) }
        }
        for link in links where link.beta {
            guard let invitation = received[link.number], !invitation.machine.value.state.isOver else {
                if link.attacker != nil, invites[link.number, default: 0] < bounds.invites {
                    steps += [true, false].map { .toBeta(link.number, .invite(1 + acts, codeNeeded: $0)) }
                }
                continue
            }
            steps += [.late(alpha: false, link.number), .declines(link.number), .cuts(link.number)]
            if invitation.machine.value.state == .codeWanted, typings < bounds.typings {
                steps.append(.types(.mistyped, at: link.number))
                if acts > 0 { steps.append(.types(shown(acts), at: link.number)) }
            }
            if link.attacker != nil { steps += framesToBeta.map { .toBeta(link.number, $0) } }
        }
        if !toAlpha.isEmpty { steps.append(.delivers(toBeta: false)) }
        if !toBeta.isEmpty { steps.append(.delivers(toBeta: true)) }
        return steps
    }

    private var framesToAlpha: [Frame] {
        [.receipt(codeNeeded: true), .receipt(codeNeeded: false), .answer(yes: true), .answer(yes: false)]
            + shares.map { .share($0) } + [.share(guess(isInviter: false))]
            + proofs.map { .confirm($0) } + [.confirm(nil)]
    }

    private var framesToBeta: [Frame] {
        let own = guess(isInviter: true)
        let parts: [Share] = Array(shares) + [own]
        return [.cancel, .members] + parts.flatMap { part in proofs.map { .reply(part, $0) } + [.reply(part, nil)] }
    }

    private func guess(isInviter: Bool) -> Share {
        Share(maker: .mallory, isInviter: isInviter, link: -1, invitation: -1, code: .guess, turn: 0)
    }

    // MARK: Effects

    /// The world after a step; nil if the step breaks the protocol. That ends the connection and so equals a cut.
    func after(_ step: Step) throws -> PairingModel? {
        var next = self
        do {
            try next.perform(step)
        } catch is ProtocolViolation {
            return nil
        }
        return next
    }

    private mutating func perform(_ step: Step) throws {
        switch step {
        case .invites(let link):
            acts += 1
            let machine = OutgoingInvitation(code: code(acts), codeNeeded: true, at: .at(0))
            let earlier = weakness == .keptCode ? sent : nil
            sent = Sent(machine: Kept(machine, "", machine.state.rawValue), link: link, number: acts)
            sent?.answers = earlier?.answers ?? 0
            sent?.counted = earlier?.counted ?? 0
            try alpha { $0.linkCameUp(at: .at(0)) }
        case .moves(let link):
            if weakness == .movedAnswer { goBack() }
            sent?.link = link
            try alpha { $0.linkCameUp(at: .at(0)) }
        case .types(let code, let link):
            typings += 1
            if case .shown(let number) = code, links[link].attacker == nil { compared.insert(number) }
            try beta(link, code) { $0.typed(Sample.code(1), at: .at(0)) }
        case .toAlpha(let link, let frame): try takeAtAlpha(frame, link)
        case .toBeta(let link, let frame): try takeAtBeta(frame, link)
        case .delivers(let toBeta): try deliver(toBeta)
        case .cuts(let link):
            if links[link].attacker == nil { (toAlpha, self.toBeta) = ([], []) }
            if sent?.link == link { try alpha { $0.linkLost(.lost) } }
            if received[link] != nil { try beta(link) { $0.linkLost(.lost) } }
        case .late(let isAlpha, let link):
            if isAlpha {
                try alpha { $0.deadlinePassed(at: .at(7200)) }
            } else {
                try beta(link) { $0.deadlinePassed(at: .at(7200)) }
            }
        case .givesUp: try alpha { $0.withdraw() }
        case .giveWay: try alpha { $0.giveWay() }
        case .declines(let link): try beta(link) { $0.decline() }
        }
    }

    private mutating func deliver(_ isToBeta: Bool) throws {
        guard let link = links.first(where: { $0.attacker == nil })?.number else { return }
        if isToBeta { try takeAtBeta(toBeta.removeFirst(), link) } else { try takeAtAlpha(toAlpha.removeFirst(), link) }
    }

    private mutating func takeAtAlpha(_ frame: Frame, _ link: Int) throws {
        if weakness == .anyLink { sent?.link = link }
        guard sent?.link == link else { return }
        switch frame {
        case .receipt(let codeNeeded): try alpha { try $0.receivedReceipt(codeNeeded: codeNeeded, at: .at(0)) }
        case .share(let share):
            if weakness == .secondAnswer { goBack() }
            if weakness?.goesBack == true, let sent, sent.machine.value.state == .codeShown {
                self.sent?.unanswered = sent.machine
            }
            try alpha(share) { try $0.receivedShare(at: .at(0)) }
        case .confirm(let proof):
            let isRight = weakness == .unreadConfirm || isRight(proof, sent?.expects)
            try alpha { try $0.receivedConfirm(isRight: isRight, at: .at(0)) }
        case .answer(let yes): try alpha { try $0.receivedAnswer(yes ? nil : .declined) }
        case .invite, .reply, .cancel, .members: break
        }
    }

    private mutating func takeAtBeta(_ frame: Frame, _ link: Int) throws {
        switch frame {
        case .invite(let number, let codeNeeded):
            invites[link, default: 0] += 1
            let opening = IncomingInvitation.Opening(codeNeededThere: codeNeeded, codeNeededHere: true, verdict: .ask)
            let machine = IncomingInvitation(opening, patience: InvitationPatience())
            received[link] = Received(
                machine: Kept(machine, "\(codeNeeded)", machine.state.rawValue),
                invitation: number
            )
            try beta(link) { $0.begin(at: .at(0)) }
        case .reply(let share, let proof):
            guard var invitation = received[link] else { return }
            let wanted = invitation.share.map {
                Proof(
                    isInviter: true,
                    link: link,
                    invitation: invitation.invitation,
                    code: $0.code,
                    invited: $0,
                    inviter: share
                )
            }
            let isTested = invitation.machine.value.state == .proving
            if isTested {
                invitation.tests += 1
                received[link] = invitation
                if invitation.tests > 1 { throw Fault.secondTest(typed: typings) }
            }
            let isRight = weakness == .unreadReply || isRight(proof, wanted)
            try beta(link, proving: share) { try $0.receivedReply(isRight: isRight, at: .at(0)) }
            if isTested, !isRight, received[link]?.counted != 1 { throw Fault.uncounted(code: typings) }
            if weakness == .secondReply, !isRight { received[link]?.machine = invitation.machine }
        case .cancel: try beta(link) { try $0.receivedCancel(.withdrawn) }
        case .members: try beta(link) { try $0.receivedWelcome() }
        case .receipt, .share, .confirm, .answer: break
        }
    }

    /// True if a proof is the expected one, as far as a weakness lets proofs differ.
    private func isRight(_ proof: Proof?, _ expected: Proof?) -> Bool {
        guard var proof, let expected else { return false }
        switch weakness {
        case .unboundLink: proof.link = expected.link
        case .unboundRole: proof.isInviter = expected.isInviter
        case .unboundCode: proof.code = expected.code
        default: break
        }
        return proof == expected
    }

    /// Restores the invitation from before its code was answered.
    private mutating func goBack() {
        guard let sent, sent.machine.value.state == .proving, let unanswered = sent.unanswered else { return }
        self.sent?.machine = unanswered
    }

    // MARK: State machines

    private mutating func alpha(
        _ share: Share? = nil,
        _ event: (inout OutgoingInvitation) throws -> [OutgoingInvitation.Action]
    ) throws {
        guard var sent else { return }
        let actions = try event(&sent.machine.value)
        let link = links[sent.link]
        for action in actions {
            switch action {
            case .sendInvite: say(.invite(sent.number, codeNeeded: true), link, toBeta: true)
            case .sendReply:
                guard let share else { continue }
                sent.answers += 1
                if sent.answers > 1 { throw Fault.secondAnswer(code: sent.number) }
                let own = Share(
                    maker: .alpha,
                    isInviter: true,
                    link: link.number,
                    invitation: sent.number,
                    code: shown(sent.number),
                    turn: sent.answers
                )
                let (theirs, mine) = Self.proofs(link.number, sent.number, shown(sent.number), share, own)
                sent.expects = theirs
                say(.reply(own, mine), link, toBeta: true)
            case .countWrongCode: if weakness != .uncounted { sent.counted += 1 }
            case .sendCancel: say(.cancel, link, toBeta: true)
            case .join(let pins):
                let peer = link.attacker ?? .beta
                if pins, peer != .beta || !compared.contains(sent.number) {
                    throw Fault.pinned(peer, by: .alpha, uncompared: true)
                }
                if !pins { throw Fault.pinned(peer, by: .alpha, uncompared: false) }
                say(.members, link, toBeta: true)
            case .showCode, .delivered, .end: break
            }
        }
        sent.machine.note(sent.machine.value.state.rawValue)
        let isLost = sent.machine.value.state.isOver && sent.machine.value.state != .accepted
        // A peer that proved the code and then declines has tested no code.
        let isProven = sent.answers == 1 && self.sent?.machine.value.state == .proven
        if isLost, self.sent?.machine.value.state.isOver == false, !isProven, sent.answers != sent.counted {
            throw Fault.uncounted(code: sent.number)
        }
        self.sent = sent
    }

    private mutating func beta(
        _ number: Int,
        _ code: Code? = nil,
        proving inviters: Share? = nil,
        _ event: (inout IncomingInvitation) throws -> [IncomingInvitation.Action]
    ) throws {
        guard var invitation = received[number] else { return }
        let actions = try event(&invitation.machine.value)
        let link = links[number]
        for action in actions {
            switch action {
            case .sendReceipt: say(.receipt(codeNeeded: true), link, toBeta: false)
            case .sendShare:
                let share = Share(
                    maker: .beta,
                    isInviter: false,
                    link: number,
                    invitation: invitation.invitation,
                    code: code ?? .mistyped,
                    turn: typings
                )
                invitation.share = share
                (invitation.tests, invitation.counted) = (0, 0)
                say(.share(share), link, toBeta: false)
            case .sendConfirm:
                guard let own = invitation.share, let inviters else { continue }
                let (mine, _) = Self.proofs(number, invitation.invitation, own.code, own, inviters)
                say(.confirm(mine), link, toBeta: false)
            case .sendAnswer(let refusal): say(.answer(yes: refusal == nil), link, toBeta: false)
            case .join(let pins):
                let peer = link.attacker ?? .alpha
                if peer != .alpha { throw Fault.pinned(peer, by: .beta, uncompared: pins) }
            case .countWrongCode: if weakness != .uncountedByInvited { invitation.counted += 1 }
            case .ask, .sendLeave, .end: break
            }
        }
        invitation.machine.note(invitation.machine.value.state.rawValue)
        received[number] = invitation
    }

    /// The two sides of an exchange, the invited one and the inviter.
    private static func proofs(
        _ link: Int,
        _ invitation: Int,
        _ code: Code,
        _ invited: Share,
        _ inviter: Share
    ) -> (invited: Proof, inviter: Proof) {
        func proof(_ isInviter: Bool) -> Proof {
            Proof(
                isInviter: isInviter,
                link: link,
                invitation: invitation,
                code: code,
                invited: invited,
                inviter: inviter
            )
        }
        return (proof(false), proof(true))
    }

    /// Sends a frame to the other honest machine, or to the attacker, which remembers what it can use.
    private mutating func say(_ frame: Frame, _ link: Link, toBeta isToBeta: Bool) {
        guard link.attacker != nil else {
            if isToBeta { toBeta.append(frame) } else { toAlpha.append(frame) }
            return
        }
        switch frame {
        case .share(let share): shares.insert(share)
        case .reply(let share, let proof):
            shares.insert(share)
            if let proof { proofs.insert(proof) }
        case .confirm(let proof): if let proof { proofs.insert(proof) }
        case .invite, .receipt, .answer, .cancel, .members: break
        }
    }

    /// The code on Alpha's screen for an invitation.
    private func shown(_ number: Int) -> Code { .shown(weakness == .keptCode ? 1 : number) }

    private func code(_ number: Int) -> PairingCode { Sample.code(UInt32(number)) }
}

/// A state machine that is compared by its state and its opening. Its other values follow from these or are equal in
/// all worlds, except the flag that its code was shown, which a peer can't see.
struct Kept<Machine: Sendable>: Hashable {
    var value: Machine
    private let variant: String
    private var state: String

    init(_ value: Machine, _ variant: String, _ state: String) {
        (self.value, self.variant, self.state) = (value, variant, state)
    }

    mutating func note(_ state: String) { self.state = state }

    static func == (left: Self, right: Self) -> Bool { left.variant == right.variant && left.state == right.state }

    func hash(into hasher: inout Hasher) {
        hasher.combine(variant)
        hasher.combine(state)
    }
}
