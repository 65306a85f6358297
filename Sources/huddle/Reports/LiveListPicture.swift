import Discovery
import Household
import LinuxPlatform
import Vocabulary

/// The list of peers as text at one moment: no wider and no longer than the window.
struct LiveListPicture {
    let lines: [String]

    init(of peers: [FoundPeer], type: ServiceType, width: Int, height: Int) {
        let rows = peers.sorted { ($0.name, "\($0.origin)") < ($1.name, "\($1.origin)") }.map(Self.row)
        let room = max(1, height - 4)
        let shown = rows.prefix(rows.count > room ? room - 1 : room)
        let table = [["NAME", "ADDRESS", "MACHINE", "OVER", "SAYS"]] + shown
        var lines = rows.isEmpty ? [] : Self.aligned(table)
        if rows.count > shown.count { lines.append("… and \(rows.count - shown.count) more") }
        let count = peers.count == 1 ? "1 machine" : "\(peers.count) machines"
        lines.append(
            peers.isEmpty ? "no machine with \(type) yet; looking until Ctrl-C" : "\(count); looking until Ctrl-C"
        )
        self.lines = lines.map { Self.cut($0, to: width) }
    }

    private static func row(_ peer: FoundPeer) -> [String] {
        let address = peer.addresses.first.map(\.description) ?? "port \(peer.port)"
        switch peer.state {
        case .present:
            return [
                peer.name, address, peer.hostName, PrintableText(peer.interfaces.joined(separator: ",")).description,
                Wording.txt(of: peer),
            ]
        case .unreachable(let reason):
            return [peer.name, address, "unreachable: \(reason)", "", ""]
        }
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in min(32, rows.map { $0[column].count }.max() ?? 0) }
        return rows.map { row in
            let cells = row.indices.map { cut(row[$0], to: $0 == row.count - 1 ? 60 : 48).padded(to: widths[$0]) }
            return trimmed(cells.joined(separator: "  "))
        }
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// Cuts a text by characters, not by columns. The terminal cuts a line that is still too wide.
    private static func cut(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(max(1, width - 1)) + "…" : text
    }
}
