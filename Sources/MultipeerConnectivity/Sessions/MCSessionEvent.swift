public import Foundation
public import Vocabulary

/// What happens in a session, for `for await event in session.events`.
public enum MCSessionEvent: Sendable {
    /// A peer came, is about to, or has gone, and why.
    case peer(MCPeerID, MCSessionState, because: PartingReason?)
    /// A message came.
    case data(Data, from: MCPeerID)
    /// A peer opened a stream.
    case stream(MCIncomingStream)
    /// A file is on its way here.
    case resourceStarted(name: String, from: MCPeerID, progress: Progress)
    /// A file has come. It stays as long as ``MCReceivedFile`` is held.
    case resourceFinished(MCReceivedFile)
    /// A file has not come, and why.
    case resourceFailed(name: String, from: MCPeerID, MCError)
}

/// A stream that a peer opened, for a reader that waits without blocking.
public struct MCIncomingStream: Sendable {
    private let stream: ReceivedStream

    init(_ stream: ReceivedStream) {
        self.stream = stream
    }

    /// What it is called.
    public var name: String { stream.name }
    /// Who writes it.
    public var peer: MCPeerID { stream.peer }

    /// The next bytes, nil at the clean end. One task reads.
    public func read() async throws -> Data? {
        do {
            return try await stream.pipe.take().map { Data($0) }
        } catch {
            throw MCError(of: error)
        }
    }
}

/// A file that has come: this program's, for as long as this is held.
public struct MCReceivedFile: Sendable {
    private let resource: ReceivedResource
    private let file: ReceivedFile

    init(_ resource: ReceivedResource, _ file: ReceivedFile) {
        self.resource = resource
        self.file = file
    }

    /// What it is called.
    public var name: String { resource.name }
    /// Who sent it.
    public var peer: MCPeerID { resource.peer }
    /// Where it lies. Move it from there to keep it.
    public var url: URL { file.url }
}
