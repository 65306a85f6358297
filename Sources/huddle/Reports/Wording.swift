import Discovery
import LinuxPlatform
import Vocabulary

/// The words for peers and events. Every text is safe to print.
enum Wording {
    /// The text after a peer's name: its address, and the entries that it advertises.
    static func details(of peer: FoundPeer) -> String {
        guard peer.origin.isAdvertised else { return "typed in" }
        var parts = [peer.addresses.first.map(\.description) ?? "port \(peer.port)", peer.hostName]
        if !peer.interfaces.isEmpty { parts.append("over \(PrintableText(peer.interfaces.joined(separator: ", ")))") }
        let says = txt(of: peer)
        if !says.isEmpty { parts.append(says) }
        return parts.joined(separator: "  ")
    }

    /// The entries of a peer's TXT record, without those for programs only.
    static func txt(of peer: FoundPeer) -> String {
        peer.txt.entries.filter { !$0.isForProgramsOnly }.map { entry in
            switch entry.value {
            case .none: entry.key.text
            case .bytes(let bytes): "\(entry.key.text)=\(PrintableText(bytes: bytes, limit: 40))"
            }
        }.joined(separator: " ")
    }

    /// The reason why this machine can't reach a peer; empty if it can.
    static func reason(_ state: FoundPeer.State) -> String {
        switch state {
        case .present: ""
        case .unreachable(let reason): reason.description
        }
    }

    static func sentence(for event: Advertiser.Event) -> String {
        switch event {
        case .advertised(let name):
            "others see this machine as “\(name)”"
        case .renamed(let wanted, let chosen):
            "others see this machine as “\(chosen)”: another one on this network has the name “\(wanted)” already"
        case .withdrawn(let absence):
            "others can't see this machine now: \(absence)"
        case .noInterface:
            "others can't see this machine now: none of the wanted network interfaces is up; waiting for one"
        }
    }
}
