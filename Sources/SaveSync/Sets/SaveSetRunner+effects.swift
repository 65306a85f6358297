import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Carries out the effects of ``SaveSetMachine``.
extension SaveSetRunner {
    /// Carries out effects in order. New history is stored in the background, while later effects are carried out.
    func perform(_ effects: [SaveSetEffect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: SaveSetEffect) {
        switch effect {
        case .work: worker.wake()
        case .play(let effect): perform(effect)
        case .download(let effect): perform(effect)
        case .search: set.services.tasks.add { await self.fetcher.search() }
        case .askAgain(let silent): exchange.askAgain(silent)
        case .sendHeads(let heads, let peer): set.sessions[peer]?.send(.heads(set.id, heads))
        case .ask(let request, let peer): ask(request, of: peer)
        case .answer(let request, let epoch, let peer): set.sessions[peer]?.answer(.history(set.id, epoch, request))
        case .learn: set.services.tasks.add { await self.exchange.complete([effect]) }
        case .noteOffers(let versions, let peer): set.handle(.peer(peer, .offers(versions)))
        case .refuse(let refusal, let peer): refuse(peer, refusal)
        case .forgetWants(let peer): set.sessions[peer]?.forgetWants(of: set.id)
        case .saveNamed: saveNamed()
        case .lookForWriter: lookForWriter()
        case .tell(let event): report(event)
        }
    }

    private func report(_ event: SaveSetEffect.Report) {
        switch event {
        case .conflict(let versions): set.tell(.conflict(versions))
        case .whole: set.tell(.whole)
        case .met(let peer): set.tell(.met(peer))
        case .refusedThere(let peer, let reason): set.tell(.wasRefused(peer, reason))
        case .gone: set.tell(.gone)
        case .back: set.tell(.back)
        case .trouble(let error): set.tell(.trouble(error))
        }
    }

    private func lookForWriter() { set.services.tasks.add { [set] in await set.services.places.lookAgain(at: set.id) } }

    // MARK: Players

    private func perform(_ effect: PlayTracker.Effect) {
        switch effect {
        case .send(let claim): for session in set.sessions.values { session.send(.claim(set.id, claim)) }
        case .sendRelease: for session in set.sessions.values { session.send(.release(set.id)) }
        case .sendRequest(let peer): set.sessions[peer]?.send(.request(set.id))
        case .report(let event):
            if case .lost(let peer) = event { set.note("lease-lost", about: peer) }
            set.tell(.lease(event))
        case .grant: play.settleTaking(.success(()))
        case .deny(let peer): play.settleTaking(.failure(play.denial(peer)))
        case .tellCutOff(let peer): tellCutOff(peer.map { [$0] } ?? Array(set.sessions.keys))
        case .withdrawCutOff(let player):
            for (peer, session) in set.sessions where peer != player { session.send(.cutOff(set.id, nil)) }
        case .saveHolder: saveHolder()
        case .lookForWriter: lookForWriter()
        case .lookForComeback:
            set.services.tasks.add {
                await self.program.look()
                self.set.handle(.play(.comebackChecked))
            }
        }
    }

    private func tellCutOff(_ peers: [PeerID]) {
        guard let play = set.machine.play.holder.cutOff else { return }
        for peer in peers where peer != play.player { set.sessions[peer]?.send(.cutOff(set.id, play)) }
    }

    private func saveHolder() {
        set.services.tasks.add { [set] in
            while set.machine.life != .left, let entry = set.update({ $0.holderToSave() }) {
                let ago = entry.held.map { ContinuousClock.Instant.current - $0.heard } ?? .zero
                // The error is dropped: other errors report a full disk, and the holder's next claim is written again.
                try? await set.services.ledger.saveSets.keep(
                    entry.held?.claim,
                    cutOff: entry.cutOff,
                    of: set.id,
                    heardAt: .now + -ago.components.seconds
                )
            }
        }
    }

    // MARK: Versions that come

    private func perform(_ effect: Downloads.Effect) {
        switch effect {
        case .ask(let peer, let version, let pieces):
            guard let epoch = set.machine.peers.epochs[peer] else { return }
            set.sessions[peer]?.want(set.id, epoch, version, pieces)
        case .readManifest(let version, let number):
            set.services.tasks.add { await self.fetcher.readManifest(of: version, number) }
        case .complete(let version, let number): set.services.tasks.add { await self.fetcher.complete(version, number) }
        case .refuse(let peer, let refusal):
            set.services.tasks.add { [set] in set.handle(.peer(peer, .caught(refusal))) }
        case .search: perform(set.update { $0.search() })
        }
    }

    // MARK: Other machines

    private func ask(_ request: HistoryRequest, of peer: PeerID) {
        guard let epoch = set.machine.peers.epochs[peer], let session = set.sessions[peer] else { return }
        session.send(.ask(set.id, epoch, request))
        session.expectAnswer()
    }

    private func refuse(_ peer: PeerID, _ refusal: SaveRefusal) {
        if let reason = try? Label(refusal.code.description) { set.sessions[peer]?.send(.refused(set.id, reason)) }
        set.services.note(refusal, by: peer, in: set.entry.name)
        set.tell(.refused(peer, refusal))
    }

    private func saveNamed() {
        set.services.tasks.add { [set] in
            while let next = set.update({ $0.nextNamed() }) {
                // If the disk stores nothing, the machine names them again when the two connect.
                try? await set.services.ledger.sharing.noteNamed(next.heads, by: next.peer, of: set.id)
            }
        }
    }
}
