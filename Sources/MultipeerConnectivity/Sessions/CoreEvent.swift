import Foundation
import Vocabulary

/// An event of a session for the app.
enum CoreEvent: Sendable {
    case state(MCPeerID, MCSessionState, PartingReason?)
    case data(Data, MCPeerID)
    case stream(ReceivedStream)
    case resourceBegan(ReceivedResource)
    case resourceEnded(ReceivedResource, Result<ReceivedFile, MCError>)

    /// The event with a late cancellation: a cancelled transfer gives no file, even if it ended at that moment.
    var settled: CoreEvent {
        guard case .resourceEnded(let resource, .success) = self, resource.progress.isCancelled else { return self }
        return .resourceEnded(resource, .failure(SessionCore.cancelled))
    }

    /// The memory that the event uses in the app, in bytes.
    var cost: Int {
        if case .data(let data, _) = self { data.count } else { 0 }
    }
}
