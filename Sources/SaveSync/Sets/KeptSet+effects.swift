import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Carries out what ``SaveSetMachine`` says.
extension KeptSet {
    /// Carries out effects in order. History that is to be learned is written down beside what follows it.
    func perform(_ effects: [SaveSetMachine.Effect]) {
        for effect in effects { perform(effect) }
    }

    /// Carries out effects in order, and waits until history that is to be learned is written down.
    func complete(_ effects: [SaveSetMachine.Effect]) async {
        // Otherwise the game would seem quiet while history is written down, and a call that waits for the newest version would miss the one that
        // the history tells of.
        update { $0.note(asking: true) }
        defer { update { $0.note(asking: false) } }
        for effect in effects {
            guard case .learn(let snapshots, let peer) = effect else {
                perform(effect)
                continue
            }
            guard await learns(snapshots, from: peer) else { return }
        }
    }

    private func perform(_ effect: SaveSetMachine.Effect) {
        switch effect {
        case .work: worker.wake()
        case .play(let effect): perform(effect)
        case .download(let effect): perform(effect)
        case .search: keeper.crew.add { await self.search() }
        case .askAgain(let silent): askAgain(silent)
        case .sendHeads(let heads, let peer): sessions[peer]?.send(.heads(id, heads))
        case .ask(let request, let peer): ask(request, of: peer)
        case .answer(let request, let ticket, let peer): sessions[peer]?.answer(id, ticket, request)
        case .learn: keeper.crew.add { await self.complete([effect]) }
        case .noteOffers(let versions, let peer): handle(.peer(peer, .offers(versions)))
        case .refuse(let refusal, let peer): refuse(peer, refusal)
        case .forgetWants(let peer): sessions[peer]?.forgetWants(of: id)
        case .saveNamed: saveNamed()
        case .lookForWriter: lookForWriter()
        case .tell(let news): report(news)
        }
    }

    private func report(_ news: SaveSetMachine.News) {
        switch news {
        case .conflict(let versions): tell(.conflict(versions))
        case .whole: tell(.whole)
        case .met(let peer): tell(.met(peer))
        case .refusedThere(let peer, let reason): tell(.wasRefused(peer, reason))
        case .gone: tell(.gone)
        case .back: tell(.back)
        case .trouble(let error): tell(.trouble(error))
        }
    }

    private func lookForWriter() { keeper.crew.add { await self.keeper.places.lookAgain(at: self.id) } }

    // MARK: Players

    private func perform(_ effect: PlayTracker.Effect) {
        switch effect {
        case .send(let claim): for session in sessions.values { session.send(.claim(id, claim)) }
        case .sendRelease: for session in sessions.values { session.send(.release(id)) }
        case .sendRequest(let peer): sessions[peer]?.send(.request(id))
        case .report(let news):
            if case .lost(let peer) = news { note("lease-lost", about: peer) }
            tell(.lease(news))
        case .grant: settleTaking(.success(()))
        case .deny(let peer): settleTaking(.failure(denial(peer)))
        case .saveHolder: saveHolder()
        case .lookForWriter: lookForWriter()
        case .lookForComeback:
            keeper.crew.add {
                await self.lookForProgram()
                self.handle(.play(.comebackChecked))
            }
        }
    }

    private func saveHolder() {
        keeper.crew.add {
            while self.machine.life != .left, let change = self.update({ $0.holderToSave() }) {
                let ago = change.held.map { ContinuousClock.Instant.current - $0.heard } ?? .zero
                // Other errors tell of a full disk; the holder's next claim is written again.
                try? await self.keeper.ledger.keep(
                    change.held?.claim,
                    of: self.id,
                    heardAt: .now + -ago.components.seconds
                )
            }
        }
    }

    // MARK: Versions that come

    private func perform(_ effect: Downloads.Effect) {
        switch effect {
        case .ask(let peer, let version, let pieces):
            guard let ticket = machine.peers.tickets[peer] else { return }
            sessions[peer]?.want(id, ticket, version, pieces)
        case .readManifest(let version, let number):
            keeper.crew.add { await self.readManifest(of: version, number) }
        case .complete(let version, let number): keeper.crew.add { await self.complete(version, number) }
        case .refuse(let peer, let refusal): keeper.crew.add { self.handle(.peer(peer, .caught(refusal))) }
        case .search: perform(update { $0.requestSearch() })
        }
    }

    // MARK: Other machines

    private func ask(_ request: HistoryRequest, of peer: PeerID) {
        guard let ticket = machine.peers.tickets[peer], let session = sessions[peer] else { return }
        session.send(.ask(id, ticket, request))
        session.expectAnswer()
    }

    private func refuse(_ peer: PeerID, _ refusal: SaveRefusal) {
        if let reason = try? Label(refusal.code.description) { sessions[peer]?.send(.refused(id, reason)) }
        keeper.note(refusal, by: peer, in: entry.name)
        tell(.refused(peer, refusal))
    }

    private func saveNamed() {
        keeper.crew.add {
            while let next = self.update({ $0.nextNamed() }) {
                // If the disk takes nothing, the machine says it again when the two connect.
                try? await self.keeper.ledger.noteNamed(next.heads, by: next.peer, of: self.id)
            }
        }
    }
}
