import Ledger
import LinuxPlatform
import SessionRules
import Transport
package import Vocabulary
import Wire

/// Whom to dial.
enum DialTarget: Hashable, Sendable {
    /// A peer, wherever it is found.
    case peer(PeerID)
    /// Whoever listens at an address that a person typed.
    case address(HostAndPort)
}

// MARK: - Connections that come in

extension Node {
    func takeConnections() async {
        guard let listener else { return }
        do {
            while true {
                let socket = try await listener.accept()
                admit(socket)
            }
        } catch let error as SystemError {
            tell(
                .trouble(
                    SessionError(
                        "session.not-listening",
                        "no connection can be taken: \(error)",
                        nextStep: "start huddle anew"
                    )
                )
            )
        } catch {}
    }

    private func admit(_ socket: StreamSocket) {
        let address = socket.remoteAddress?.address
        let isMembers = members.values.contains { $0.link?.lane.remoteAddress?.address == address }
        guard let number = door.arrived(from: address, isMembers: isMembers, close: { socket.shutDown() }) else {
            return counted.arrivalsRefused += 1
        }
        crew.add {
            await self.greet(socket, number)
            self.door.left(number)
        }
    }

    /// Has the door know where paired machines were seen, and the finder under which names; ends everything with a machine that is forgotten. If
    /// the ledger can't be read, what it said before counts.
    func knowPairedMachines() async {
        let reading = known.beginReading()
        guard let peers = try? await ledger.peers().values, let forgotten = known.take(peers, from: reading) else {
            return
        }
        door.know(peers)
        for peer in forgotten {
            cutOff(peer, because: .forgotten)
            whenRightsChange(peer)
        }
        await finder.know(Set(peers.filter { $0.isPinned && $0.policy != .block }.compactMap(\.name)))
    }

    private func greet(_ socket: StreamSocket, _ number: Int) async {
        let greeting = Greeting(.answerer, as: identity, saying: hello, patience: configuration.handshake)
        do {
            let arrival = try await greeting.answer(socket) { lane in
                door.set(number) { lane.abort() }
            }
            switch arrival {
            case .control(let greeted): await take(greeted, asGuest: number)
            case .further(let lane, let open, let decoder):
                door.left(number)
                try await takeLane(lane, open, decoder)
            }
        } catch {
            // Whoever came has gone, or was no peer. There is nobody to be told.
            counted.greetingsFailed += 1
        }
    }

    /// A stranger's link counts as a guest until it is over, or the stranger has become a member of something.
    private func take(_ greeted: Greeting.Greeted, asGuest number: Int) async {
        guard !isStopping, greeted.lane.peerID != id, let link = establish(greeted) else { return greeted.lane.abort() }
        door.set(number) { link.cut(because: .full) }
        link.guest = number
        // A blocked friend counts as little as any: it could count its places. There is one link for each key anyway.
        if let known = try? await ledger.peer(link.peer), known.isPinned { door.left(number) }
        await keep(link)
    }

    var hello: ControlFrame.Hello {
        ControlFrame.Hello(
            name: configuration.name,
            listeningPort: port,
            datagramPort: datagrams?.port ?? 0,
            runToken: runToken
        )
    }
}

// MARK: - Connections that go out

extension Node {
    /// The link to a peer: the one there is, or a new one.
    func link(to target: DialTarget) async throws -> Link {
        if case .peer(let peer) = target {
            guard peer != id else { throw SessionError.ownKey }
            if let link = links[peer], link.isOpen { return link }
        }
        if let dial = dials[target] { return try await dial.value() }
        guard !isStopping else { throw SessionError.notRunning }
        let dial = Promise<Link>()
        dials[target] = dial
        crew.add {
            let outcome = await self.dial(target)
            self.dials[target] = nil
            dial.settle(outcome)
        }
        return try await dial.value()
    }

    private func dial(_ target: DialTarget) async -> Result<Link, any Error> {
        do {
            let addresses = try await addresses(of: target)
            guard !addresses.isEmpty else { throw SessionError.noAddress }
            let greeted = try await greetFirst(of: addresses, target)
            if case .peer(let peer) = target, let link = links[peer], link.peer != greeted.lane.peerID {
                return .success(link)
            }
            guard let link = establish(greeted) else {
                greeted.lane.abort()
                guard let existing = links[greeted.lane.peerID] else { throw SessionError(.replaced) }
                return .success(existing)
            }
            crew.add { await self.keep(link) }
            return .success(link)
        } catch {
            return .failure(error)
        }
    }

    private func addresses(of target: DialTarget) async throws -> [SocketAddress] {
        switch target {
        case .peer(let peer):
            let known = try await ledger.peer(peer)?.addresses ?? []
            let last = [returns[peer]?.address].compactMap { $0 }
            let found = await finder.addresses(of: peer)
            // Where it was last is where it is, unless it has moved; and nobody else can say where that was.
            return DialOrder.of([last, found.learnt, found.seen, await Finder.lookUp(known), found.told])
        case .address(let address): return DialOrder.of([await Finder.lookUp([address])])
        }
    }

    /// Tries the addresses one after the other, the next as soon as one takes long; the first that answers counts.
    private func greetFirst(of addresses: [SocketAddress], _ target: DialTarget) async throws -> Greeting.Greeted {
        try await withThrowingTaskGroup(of: Result<Greeting.Greeted, any Error>.self) { group in
            let turn = GreetingTurn()
            for (place, address) in addresses.enumerated() {
                group.addTask {
                    do {
                        try await Engine.loop.sleep(for: .milliseconds(250) * place)
                        return .success(try await self.greet(at: address, target, turn))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            defer { group.cancelAll() }
            var worst: any Error = SessionError(.unreachable)
            while let outcome = try await group.next() {
                switch outcome {
                case .success(let greeted): return greeted
                case .failure(let error): if !(error is CancellationError) { worst = Self.telling(error, worst) }
                }
            }
            throw worst
        }
    }

    private func greet(
        at address: SocketAddress,
        _ target: DialTarget,
        _ turn: GreetingTurn
    ) async throws -> Greeting.Greeted {
        let expected: PeerID? = if case .peer(let peer) = target { peer } else { nil }
        let role = LinkHandshake.Role.dialler(expecting: expected)
        return try await Greeting(role, as: identity, saying: hello, patience: configuration.handshake)
            .dial(address, expecting: expected, turn)
    }

    /// Of two failures the one that says more: anything but that nobody answered.
    private static func telling(_ error: any Error, _ before: any Error) -> any Error {
        (error as? SessionError)?.reason == .unreachable ? before : error
    }
}

extension PartingReason {
    /// Why a link could not be made, or something else not be had.
    init(of error: any Error) {
        self = (error as? SessionError)?.reason ?? .unreachable
    }
}

// MARK: - Links

extension Node {
    /// Makes a greeted lane the link to its peer; nil where another link stays.
    private func establish(_ greeted: Greeting.Greeted) -> Link? {
        let peer = greeted.lane.peerID
        let made = Link(greeted, patience: configuration.liveness, of: shares.ofStrangers)
        made.noticed = { [weak self, weak made] notice in
            if let made { self?.take(notice, from: made) }
        }
        if let existing = links[peer] {
            guard !existing.isOpen || survives(made, over: existing) else { return nil }
            links[peer] = nil
            existing.part(because: .replaced)
            lost(existing, because: .replaced)
        }
        links[peer] = made
        made.lane.count(in: controlTraffic)
        if made.isDialler { counted.linksDialled += 1 } else { counted.linksAccepted += 1 }
        lanes[peer] = LaneBoard(made, at: self)
        datagrams?.add(made)
        return made
    }

    private func survives(_ new: Link, over existing: Link) -> Bool {
        func claim(_ link: Link) -> DuplicateLinks.Claim {
            .init(dialler: link.isDialler ? id : link.peer, runToken: link.hello.runToken, since: link.since)
        }
        let other = existing.isDialler ? existing.peer : id
        return DuplicateLinks.survivor(existing: claim(existing), new: claim(new), other: other) == .new
    }

    /// Keeps a link until it ends.
    private func keep(_ link: Link) async {
        // Another one may have taken its place already.
        if links[link.peer] === link { linked(link) }
        let reason = await link.run { frame in try self.take(frame, from: link) }
        guard links[link.peer] === link else { return }
        links[link.peer] = nil
        lost(link, because: reason)
        cameToEnd(link, because: reason)
    }

    private func linked(_ link: Link) {
        tellOfLink(.linked(link.peer, link.hello.name))
        returns.removeValue(forKey: link.peer)?.linkCameUp()
        for member in members.values where member.peer == link.peer { member.resume(over: link) }
        for invitation in sentInvitations.values where invitation.peer == link.peer { invitation.goOn(over: link) }
        let address = link.peerAddress.flatMap { try? HostAndPort($0.description) }
        write {
            guard try await $0.saw(link.peer, as: link.hello.name, at: address) else { return }
            await self.knowPairedMachines()
        }
        expectUse(of: link)
    }

    private func take(_ notice: Link.Notice, from link: Link) {
        for member in members.values where member.peer == link.peer && member.link === link {
            switch notice {
            case .suspected: member.session.isAway(member, because: .lost)
            case .recovered: member.session.isBack(member)
            }
        }
    }

    /// What hung on the link waits for another.
    private func lost(_ link: Link, because reason: PartingReason) {
        keepAccount(of: link)
        arrivedInvites[link.peer]?.removeAll { $0.link === link }
        strangers.isGone(link)
        lanes.removeValue(forKey: link.peer)?.end()
        datagrams?.remove(link)
        for member in members.values where member.peer == link.peer {
            member.cut()
            if reason != .replaced { member.session.isAway(member, because: reason) }
        }
        for transfer in outgoing.values where transfer.peer == link.peer { transfer.linkLost() }
        for transfer in incoming.values where transfer.peer == link.peer { transfer.linkLost() }
        // One that was on its way over a link that another one replaces goes over that one, as soon as it is here.
        if reason != .replaced {
            for invitation in sentInvitations.values where invitation.peer == link.peer { invitation.linkLost(reason) }
        }
        for invitation in receivedInvitations.values where invitation.peer == link.peer { invitation.linkLost(reason) }
    }

    private func cameToEnd(_ link: Link, because reason: PartingReason) {
        tellOfLink(.unlinked(link.peer, reason))
        // Nothing has taken its place, whatever the peer says; so nothing is left to wait for.
        for invitation in sentInvitations.values where invitation.peer == link.peer { invitation.linkLost(reason) }
        guard !isStopping else { return }
        // The machine counts as offline since its link ended, not since it began.
        write { _ = try await $0.saw(link.peer) }
        switch reason {
        case .lost, .unreachable, .timedOut, .replaced: comeBack(to: link)
        case .shuttingDown:
            // The program there may be started again at once, as after an upgrade.
            comeBack(to: link)
        default:
            for member in members.values where member.peer == link.peer { drop(member, because: reason) }
        }
    }

    private func comeBack(to link: Link) {
        guard members.values.contains(where: { $0.peer == link.peer }) else { return }
        let again = Return(to: link, at: self)
        returns[link.peer] = again
        again.begin()
    }

    /// Dials a peer whose connection was lost, now: somebody waits for it, whoever would dial otherwise, and when.
    package func hurriesBack(to peer: PeerID) {
        guard returns[peer] != nil, !isStopping else { return }
        crew.add { _ = try? await self.link(to: .peer(peer)) }
    }

    /// Forgets a member, and tells its session.
    func drop(_ member: Member, because reason: PartingReason) {
        forget(member, because: reason)
        member.session.remove(member, because: reason)
    }

    func forget(_ member: Member, because reason: PartingReason) {
        members[MemberKey(peer: member.peer, session: member.wireSession)] = nil
        member.leave(because: reason)
        for transfer in outgoing.values where transfer.member === member { transfer.peerLeft(reason) }
        for transfer in incoming.values where transfer.member === member { transfer.peerLeft(reason) }
        if let link = links[member.peer] { expectUse(of: link) }
        if !members.values.contains(where: { $0.peer == member.peer }) {
            returns.removeValue(forKey: member.peer)?.end()
        }
    }

    /// A link that nobody uses for a while is given up: by the side that dialled it, and where that does not, by the other.
    func expectUse(of link: Link) {
        let patience = link.isDialler ? configuration.idleLink : configuration.idleLink * 2
        // One timer at a time, or a peer could have them set by the thousand.
        link.idle?.cancel()
        link.idle = Engine.schedule(at: .now + patience) { [weak self, weak link] in
            guard let self, let link, self.links[link.peer] === link, !self.isInUse(link.peer) else { return }
            link.part(because: .left)
        }
    }

    private func isInUse(_ peer: PeerID) -> Bool {
        members.values.contains { $0.peer == peer } || sentInvitations.values.contains { $0.peer == peer }
            || receivedInvitations.values.contains { $0.peer == peer }
    }
}
