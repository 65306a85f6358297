package import LinuxPlatform
package import Ledger
package import SaveRules
package import Session
package import Vocabulary

/// The other machines, as the saves' engine talks to them: ``Node`` is the real one, a simulation has its own.
@Engine
package protocol SaveNetwork: AnyObject, Sendable {
    /// Which machine this is.
    nonisolated var id: PeerID { get }
    /// How this machine signs what it does to saves.
    nonisolated var seal: VersionSeal { get }

    /// Opens a session for saves with a machine, if it allows that without asking a person.
    /// - Throws: ``SessionError``, whose reason says what becomes of the machine
    func openSaves(with peer: PeerID, patience: Duration) async throws -> any SaveSession

    /// Whether a connection to a machine is open.
    func isLinked(to peer: PeerID) -> Bool

    /// Has a lost connection to a machine retried at once.
    func hurriesBack(to peer: PeerID)

    /// Takes up that the ledger has another paired machine.
    func hasPaired(_ peer: PeerID) async

    /// Writes down for the user what was decided.
    func audit(_ event: String, about peer: PeerID?, _ details: [AuditEntry.Detail])

    /// A machine is found on the network.
    var whenFound: @Engine (PeerID) -> Void { get set }
    /// A person may have changed what a machine may do.
    var whenRightsChange: @Engine (PeerID) -> Void { get set }
    /// The same for any machine.
    var whenAnyRightsChange: @Engine () -> Void { get set }
}

/// A session with one machine, in which saves are exchanged.
@Engine
package protocol SaveSession: AnyObject, Sendable {
    /// Who began it.
    var host: PeerID { get }
    /// What the machine calls itself, fit to print.
    var peerName: String? { get }
    /// How much of this machine's memory the other may take.
    var allowance: Allowance { get }

    /// The next that happens in it; nil once it is over.
    func next() async -> SaveSessionEvent?

    /// Sends a message, in order. It waits while the machine is away.
    func send(_ bytes: [UInt8]) async throws

    /// Opens a stream for what takes more room than a message.
    func openStream() async throws -> any OutgoingBytes

    /// Ends it.
    func leave(because reason: PartingReason)
}

/// What happens in a session for saves.
package enum SaveSessionEvent: Sendable {
    /// The machine can't be reached and is expected back. Messages wait.
    case away(PartingReason)
    /// The machine is back.
    case returned
    /// The machine has left.
    case departed(PartingReason)
    /// A message came.
    case message([UInt8])
    /// The machine has opened a stream.
    case stream(any IncomingBytes)
}

/// Bytes on their way to another machine.
package protocol OutgoingBytes: AnyObject, Sendable {
    /// Sends bytes, and waits while the other machine takes no more.
    func write(_ bytes: [UInt8]) async throws
    /// Ends the stream before its end.
    func abort(because reason: PartingReason) async
}

/// Bytes that come from another machine.
package protocol IncomingBytes: AnyObject, Sendable {
    /// The next bytes; nil at the end.
    func read() async throws -> [UInt8]?
}
