import Discovery
import Household
import Vocabulary

/// Prints a line for each change that a user would notice: the kind of change, the name, and details.
actor LineReport: BrowsingReport {
    private let console: Console
    private var shown: [FoundPeer.Origin: String] = [:]
    private var filter = NoticeFilter()

    init(_ console: Console) {
        self.console = console
    }

    func tell(_ event: DiscoveryEvent) async throws {
        switch event {
        case .found(let peer): try await line("found", peer, Wording.details(of: peer))
        case .returned(let peer): try await line("back", peer, Wording.details(of: peer))
        case .updated(let peer):
            // An update that shows the user nothing new, such as a second address, gets no line.
            if shown[peer.origin] != Wording.details(of: peer) {
                try await line("changed", peer, Wording.details(of: peer))
            }
        case .unreachable(let peer): try await line("unreachable", peer, Wording.reason(peer.state))
        case .lost(let peer, let reason):
            try await line("lost", peer, reason.description)
            shown[peer.origin] = nil
        case .notice(let notice):
            if filter.shows(notice) { await console.complain(notice.description) }
        }
    }

    func tell(_ event: Advertiser.Event) async throws {
        await console.complain(Wording.sentence(for: event))
    }

    private func line(_ word: String, _ peer: FoundPeer, _ rest: String) async throws {
        shown[peer.origin] = Wording.details(of: peer)
        try await console.print("\(word.padded(to: 11))  \(peer.name.padded(to: 16))  \(rest)")
    }
}
