import Foundation

/// A file that is arriving.
///
/// `@unchecked Sendable` because its progress is an ``ObservableProgress``, and nothing else is mutable.
struct ReceivedResource: @unchecked Sendable {
    let name: String
    let peer: MCPeerID
    let progress: Progress
}

/// A received file in a folder of its own, which is removed with the last reference.
final class ReceivedFile: Sendable {
    let url: URL
    private let folder: ReceptionFolder

    init(_ url: URL, in folder: ReceptionFolder) {
        self.url = url
        self.folder = folder
    }
}
