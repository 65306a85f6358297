import Foundation
import Vocabulary

/// What happens in a session, on its way to the app.
enum Happening: Sendable {
    case state(MCPeerID, MCSessionState, PartingReason?)
    case data(Data, MCPeerID)
    case stream(ReceivedStream)
    case resourceBegan(ReceivedResource)
    case resourceEnded(ReceivedResource, Result<ReceivedFile, MCError>)

    /// How much of the app's memory it takes.
    var cost: Int {
        if case .data(let data, _) = self { data.count } else { 0 }
    }
}
