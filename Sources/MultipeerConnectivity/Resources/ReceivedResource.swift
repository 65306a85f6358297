import Foundation

/// A file that is on its way here.
///
/// `@unchecked Sendable` because its progress is an ``ObservableProgress``, and nothing else in it changes.
struct ReceivedResource: @unchecked Sendable {
    let name: String
    let peer: MCPeerID
    let progress: Progress
}

/// Where a file lies that has come: in a folder of its own, which goes with the last that holds this.
final class ReceivedFile: Sendable {
    let url: URL
    private let folder: ReceptionFolder

    init(_ url: URL, in folder: ReceptionFolder) {
        self.url = url
        self.folder = folder
    }
}
