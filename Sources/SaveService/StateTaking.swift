import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Receives one save from a peer, for the inbox or for a game that the peer shares. It is stored only after all of it
/// is here and checked.
@Engine
final class StateTaking: SessionHandler {
    nonisolated static let purpose = Array("huddle-state/1".utf8)
    /// The time limit of a transfer. A slower peer must try again.
    private static let patience = Duration.seconds(120)

    private let engine: SaveSyncEngine
    /// The owner of this object. A strong reference would be a cycle, which holds the history open for ever.
    private unowned let household: Household
    /// The peers that send a save now. Each may send one at a time, since all of it is in memory until it is checked.
    private var giving: Set<PeerID> = []

    init(_ engine: SaveSyncEngine, _ household: Household) { (self.engine, self.household) = (engine, household) }

    nonisolated var context: [UInt8] { Self.purpose }

    func reaches(_ peer: PeerID) {}

    func loses(_ peer: PeerID) {}

    func take(_ session: Session, from peer: PeerID) async {
        defer { session.leave() }
        let tag = await SaveWording(household).tag(peer)
        let announced = Announced()
        let answer: StateAnswer
        do {
            answer = .taken(try await inTime { try await self.receive(in: session, from: tag, announced) })
            household.node.note("state-delivered", about: peer, announced.details)
        } catch let error as any ExplainedError {
            household.node.note(
                "state-refused",
                about: peer,
                announced.details + [.init("reason", error.code.description)]
            )
            household.tell(
                DaemonLine(
                    .notReceived(NotReceivedEvent(.state, tag, error)),
                    "a save from \(tag) was refused: \(error)"
                )
            )
            answer = .refused(error.code.description, error.message, error.nextStep)
        } catch {
            return
        }
        // A peer that has left needs no answer.
        try? await session.send(answer.encoded, to: [peer])
        try? await session.delivered()
    }

    private func inTime(_ work: @escaping @Engine @Sendable () async throws -> String) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Engine.loop.sleep(for: Self.patience)
                throw HouseholdError.stateTooSlow
            }
            return try await group.next() ?? ""
        }
    }

    private func receive(
        in session: Session,
        from peer: PeerTag,
        _ announced: Announced
    ) async throws -> String {
        let known = try await household.node.ledger.peer(peer.id)
        guard let known, known.policy == .accept, known.isPinned else { throw SessionError(.notPermitted) }
        guard giving.insert(peer.id).inserted else { throw HouseholdError.oneAtATime }
        defer { giving.remove(peer.id) }
        try await session.send(StateAnswer.ready.encoded, to: [peer.id])
        let stream = try await stream(in: session)
        var (reader, isPermitted) = (StateDeliveryReader(), false)
        while let bytes = try await stream.read() {
            try reader.append(bytes)
            if !isPermitted, let delivery = reader.delivery {
                announced.delivery = delivery
                try permit(delivery, known)
                isPermitted = true
            }
        }
        let (delivery, archive) = try reader.finish()
        try await runBlocking("state") { _ = try ArchiveCheck.check(archive) }
        return try await store(archive, delivery, from: peer)
    }

    private func stream(in session: Session) async throws -> IncomingStream {
        while let event = await session.events.next() {
            switch event {
            case .stream(let stream): return stream
            case .departed: throw SessionError(.left)
            case .joined, .away, .returned, .message, .resource: continue
            }
        }
        throw SessionError(.lost)
    }

    /// Checks the rights before the save itself arrives.
    private func permit(_ delivery: StateDelivery, _ peer: KnownPeer) throws {
        switch delivery.destination {
        case .inbox:
            guard peer.permissions.contains(.resources) else { throw SessionError(.notPermitted) }
        case .set(let name):
            guard peer.permissions.contains(.saveSets) else { throw SessionError(.notPermitted) }
            _ = try engine.sharing.game(named: name, sharedWith: peer.id)
        }
    }

    private func store(_ archive: [UInt8], _ delivery: StateDelivery, from peer: PeerTag) async throws -> String {
        switch delivery.destination {
        case .inbox:
            guard let name = try? Label(delivery.path.name.text) else { throw HouseholdError.stateNameTooLong }
            return try await household.keep(archive, as: name, from: peer).text
        case .set(let name):
            let set = try engine.sharing.game(named: name, sharedWith: peer.id)
            let version = try await engine.editor(of: set).deliver(
                archive,
                at: delivery.path,
                note: try? Label("from \(peer)")
            )
            household.tell(
                DaemonLine(
                    .delivered(DeliveredEvent(peer, GameTag(set, name), version, path: delivery.path.text)),
                    "\(peer) delivered \(delivery.path) into \(name): version \(version.short)"
                )
            )
            return "version \(version.short)"
        }
    }
}

/// The announcement of a save, which the log needs also if the save is refused later.
@Engine
private final class Announced {
    var delivery: StateDelivery?

    var details: [AuditEntry.Detail] { delivery?.details ?? [] }
}

extension StateDelivery {
    /// The details for the log.
    var details: [AuditEntry.Detail] {
        let path = AuditEntry.Detail("path", path.text)
        return switch destination {
        case .inbox: [path]
        case .set(let name): [.init("set", name.description), path]
        }
    }
}

extension HouseholdError {
    fileprivate static let stateTooSlow = HouseholdError(
        "state.too-slow",
        "the save did not arrive in time",
        nextStep: "try again when the connection is better"
    )

    fileprivate static let oneAtATime = HouseholdError(
        "state.one-at-a-time",
        "another save from there is on its way",
        nextStep: "try again when that has arrived"
    )

    fileprivate static let stateNameTooLong = HouseholdError(
        "state.name-too-long",
        "the name of a save in the inbox has at most 128 bytes",
        nextStep: "choose a shorter name with --as"
    )
}
