import Vocabulary

/// A line of the daemon: an event or an answer, and its sentence for the user. `docs/json-output.md` describes the
/// objects.
package struct DaemonLine: Sendable {
    package let event: DaemonEvent
    /// The sentence for the user, fit to print; nil if the line is of no use to the user.
    package var sentence: String?
    /// True if the sentence is about a failure.
    package var isTrouble: Bool

    package init(_ event: DaemonEvent, _ sentence: String?, isTrouble: Bool = false) {
        (self.event, self.sentence, self.isTrouble) = (event, sentence, isTrouble)
    }

    package var name: String { event.name }

    /// Approximate memory while the line waits for a reader.
    var weight: Int {
        let content = if case .message(let message) = event { message.content.weight } else { 0 }
        return 200 + (sentence?.utf8.count ?? 0) + content
    }
}

extension DaemonLine: JSONShape {
    package var fields: JSONFields {
        var fields = fieldsForPrograms
        fields.set("sentence", sentence)
        if isTrouble { fields.set("trouble", true) }
        return fields
    }

    /// The keys without the sentence for the user.
    package var fieldsForPrograms: JSONFields {
        let payload = event.payload
        var fields = payload.fields
        fields.set("event", payload.event)
        return fields
    }

    /// Reads a line of the daemon.
    package init(_ fields: JSONFields) throws {
        self.init(
            try DaemonEvent(fields),
            try fields.text("sentence"),
            isTrouble: try fields.flag("trouble") ?? false
        )
    }
}

extension DaemonLine {
    /// The list of machines or of devices may have changed.
    package static let machineList = DaemonLine(.machineList(MachineListEvent()), nil)

    /// A failure that ends nothing.
    package static func trouble(_ sentence: String) -> DaemonLine {
        DaemonLine(.trouble(TroubleEvent()), sentence, isTrouble: true)
    }

    static func message(_ bytes: [UInt8], from peer: PeerTag) -> DaemonLine {
        DaemonLine(
            .message(MessageEvent(peer, MessageContent(bytes))),
            SessionWording.message(bytes, from: peer)
        )
    }

    /// The request failed.
    package static func failed(_ error: any Error) -> DaemonLine {
        let problem = PassedOnError(error)
        return DaemonLine(.failed(FailedEvent(problem: problem)), problem.message, isTrouble: true)
    }

    /// The request is done.
    ///
    /// - Parameter failure: failure of a part of the request, which an earlier line has reported
    package static func done(_ failure: (any Error)? = nil) -> DaemonLine {
        DaemonLine(.done(DoneEvent(failure)), nil)
    }

    /// An event about another machine that needs no further facts.
    package static func machine(
        _ kind: MachineEvent.Kind,
        _ machine: PeerTag,
        _ sentence: String?,
        because reason: String? = nil
    ) -> DaemonLine {
        DaemonLine(.machineEvent(MachineEvent(kind, machine, because: reason)), sentence)
    }
}

extension DaemonLine {
    /// The facts that readers of lists pick out; nil for a line of another kind.
    package var status: StatusInfo? { if case .status(let status) = event { status } else { nil } }

    package var game: GameInfo? { if case .game(let game) = event { game } else { nil } }

    package var offer: OfferInfo? { if case .offer(let offer) = event { offer } else { nil } }

    package var version: VersionInfo? { if case .version(let version) = event { version } else { nil } }

    package var machine: MachineInfo? { if case .machine(let machine) = event { machine } else { nil } }

    package var invitation: InvitationEvent? {
        if case .invitation(let invitation) = event { invitation } else { nil }
    }
}
