public import Foundation
public import Vocabulary

/// An event of a session, for `for await event in session.events`.
public enum MCSessionEvent: Sendable {
    /// A peer joined, is connecting, or has left, with the reason.
    case peer(MCPeerID, MCSessionState, because: PartingReason?)
    /// A message arrived.
    case data(Data, from: MCPeerID)
    /// A peer opened a stream.
    case stream(MCIncomingStream)
    /// A file is arriving.
    case resourceStarted(name: String, from: MCPeerID, progress: Progress)
    /// A file has arrived. It exists as long as ``MCReceivedFile`` is held.
    case resourceFinished(MCReceivedFile)
    /// A file failed to arrive.
    case resourceFailed(name: String, from: MCPeerID, MCError)
}

/// A stream that a peer opened, for an asynchronous reader.
public struct MCIncomingStream: Sendable {
    private let stream: ReceivedStream

    init(_ stream: ReceivedStream) {
        self.stream = stream
    }

    /// The stream's name.
    public var name: String { stream.name }
    /// The peer that writes to it.
    public var peer: MCPeerID { stream.peer }

    /// The next bytes; nil at the regular end. Only one task may read.
    public func read() async throws -> Data? {
        do {
            return try await stream.pipe.take().map { Data($0) }
        } catch {
            throw MCError(of: error)
        }
    }
}

/// A received file. It exists as long as this value is held.
public struct MCReceivedFile: Sendable {
    private let resource: ReceivedResource
    private let file: ReceivedFile

    init(_ resource: ReceivedResource, _ file: ReceivedFile) {
        self.resource = resource
        self.file = file
    }

    /// The name that the sender gave it.
    public var name: String { resource.name }
    /// The sender.
    public var peer: MCPeerID { resource.peer }
    /// The file. Move it to keep it.
    public var url: URL { file.url }
}
