import Foundation
import Vocabulary

/// What happens in a session, on its way to the app.
enum Happening: Sendable {
    case state(MCPeerID, MCSessionState, PartingReason?)
    case data(Data, MCPeerID)
    case stream(ReceivedStream)
    case resourceBegan(ReceivedResource)
    case resourceEnded(ReceivedResource, Result<ReceivedFile, MCError>)

    /// Whoever has cancelled gets no file, also where the last of it came at that moment.
    var settled: Happening {
        guard case .resourceEnded(let resource, .success) = self, resource.progress.isCancelled else { return self }
        return .resourceEnded(resource, .failure(SessionCore.cancelled))
    }

    /// How much of the app's memory it takes.
    var cost: Int {
        if case .data(let data, _) = self { data.count } else { 0 }
    }
}
