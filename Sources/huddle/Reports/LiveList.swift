import Discovery
import Vocabulary

/// The list of peers on a terminal. It is redrawn in place when it changes, with a line for each event above it.
actor LiveList: BrowsingReport {
    private let type: ServiceType
    private let console: Console
    private var peers: [FoundPeer.Origin: FoundPeer] = [:]
    private var drawnLines = 0
    private var filter = NoticeFilter()

    init(_ type: ServiceType, _ console: Console) {
        self.type = type
        self.console = console
    }

    func tell(_ event: DiscoveryEvent) async throws {
        switch event {
        case .found(let peer), .updated(let peer), .returned(let peer), .unreachable(let peer):
            peers[peer.origin] = peer
            try await draw()
        case .lost(let peer, let reason):
            peers[peer.origin] = nil
            try await draw(below: "lost “\(peer.name)”: \(reason)")
        case .notice(let notice):
            try await draw(below: filter.shows(notice) ? notice.description : nil)
        }
    }

    func tell(_ event: Advertiser.Event) async throws {
        try await draw(below: Wording.sentence(for: event))
    }

    private func draw(below happening: String? = nil) async throws {
        let list = LiveListPicture(of: Array(peers.values), type: type, width: console.width, height: console.height)
        // Moves the cursor to the start of the list, and erases everything below.
        var text = drawnLines > 0 ? "\u{1B}[\(drawnLines)A\r\u{1B}[J" : ""
        if let happening { text += happening + "\n" }
        // Wide characters can make a line longer than its count of characters. Without wrapping, the terminal cuts such
        // a line. If it wrapped, the next redraw would begin at the wrong line.
        text += "\u{1B}[?7l" + list.lines.joined(separator: "\n") + "\n\u{1B}[?7h"
        drawnLines = list.lines.count
        try await console.print(text, terminator: "")
    }
}
