package import LinuxPlatform
package import Ledger
package import SaveRules
package import Session
package import Vocabulary

/// The other machines, as the engine talks to them. ``Node`` is the real one; a simulation has its own.
@Engine
package protocol SaveNetwork: AnyObject, Sendable {
    /// The ID of this machine.
    nonisolated var id: PeerID { get }
    /// The seal with which this machine signs versions.
    nonisolated var seal: VersionSeal { get }

    /// Opens a session for saves with a machine, if that machine allows it without asking its user.
    /// - Throws: ``SessionError``, whose reason decides if the machine is dialed again
    func openSaves(with peer: PeerID, patience: Duration) async throws -> any SaveSession

    /// True if a connection to a machine is open.
    func isLinked(to peer: PeerID) -> Bool

    /// Retries a lost connection to a machine at once.
    func hurriesBack(to peer: PeerID)

    /// Handles a new pairing in the ledger.
    func hasPaired(_ peer: PeerID) async

    /// Writes a decision to the audit log, for the user.
    func audit(_ event: String, about peer: PeerID?, _ details: [AuditEntry.Detail])

    /// Runs when a machine is found on the network.
    var whenFound: @Engine (PeerID) -> Void { get set }
    /// Runs when a user may have changed the rights of a machine.
    var whenRightsChange: @Engine (PeerID) -> Void { get set }
    /// Runs when a user may have changed the rights of any machine.
    var whenAnyRightsChange: @Engine () -> Void { get set }
}

/// A session with one machine, in which saves are exchanged.
@Engine
package protocol SaveSession: AnyObject, Sendable {
    /// The machine that began the session.
    var host: PeerID { get }
    /// The machine's own name, fit to print.
    var peerName: String? { get }
    /// The limit of this machine's memory that the other one may use.
    var allowance: Allowance { get }

    /// Returns the next event of the session; nil once it is over.
    func next() async -> SaveSessionEvent?

    /// Sends a message, in order. It waits while the machine is away.
    func send(_ bytes: [UInt8]) async throws

    /// Opens a stream, for data that is too large for a message.
    func openStream() async throws -> any OutgoingBytes

    /// Ends the session.
    func leave(because reason: PartingReason)
}

/// An event of a session for saves.
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

/// A stream of bytes to another machine.
package protocol OutgoingBytes: AnyObject, Sendable {
    /// Sends bytes, and waits while the other machine accepts none.
    func write(_ bytes: [UInt8]) async throws
    /// Aborts the stream before its end.
    func abort(because reason: PartingReason) async
}

/// A stream of bytes from another machine.
package protocol IncomingBytes: AnyObject, Sendable {
    /// Returns the next bytes; nil at the end.
    func read() async throws -> [UInt8]?
}
