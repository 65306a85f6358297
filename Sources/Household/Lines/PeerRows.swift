package import Discovery
package import Ledger
import LinuxPlatform
package import Session
package import Vocabulary

/// The paired and the found machines, each once.
package struct PeerRows {
    private struct Row {
        let id: PeerID
        var name: InstanceName?
        var known: KnownPeer?
        var found: FoundPeer?
    }

    /// The head of the list, in columns like those of its first line.
    package static func head(above first: DaemonLine) -> String {
        let (sentence, id) = (first.sentence ?? "", first.machine?.machine.id.short ?? "")
        let column = sentence.ranges(of: id).first.map {
            sentence.distance(from: sentence.startIndex, to: $0.lowerBound)
        }
        return line("NAME", "ID", "POLICY", "KNOWN", "WHERE", names: max(0, (column ?? 0) - 2))
    }

    /// The width of the column of names. A longer name shifts the rest of its own line only.
    private static let namesWidth = 16...32

    private let rows: [Row]
    private let twins: [PeerID: InstanceName]

    package var isEmpty: Bool { rows.isEmpty }

    package var tags: [PeerTag] { rows.map(tag) }

    package init(known: [KnownPeer], found: [(peer: FoundPeer, id: PeerID?)], own: PeerID) {
        var rows: [PeerID: Row] = [:]
        for known in known { rows[known.id] = Row(id: known.id, name: known.name, known: known) }
        for (peer, id) in found {
            guard let id, id != own else { continue }
            var row = rows[id] ?? Row(id: id)
            if case .advertised(let name) = peer.origin { row.name = name }
            row.found = peer
            rows[id] = row
        }
        self.rows = rows.values.sorted { ($0.name?.text ?? "", $0.id) < ($1.name?.text ?? "", $1.id) }
        twins = Self.twins(of: self.rows)
    }

    /// For each machine with a name like another's, the name of that other machine.
    private static func twins(of rows: [Row]) -> [PeerID: InstanceName] {
        let named = rows.compactMap { row in row.name.map { (id: row.id, name: $0) } }
        return Dictionary(grouping: named) { NameSkeleton($0.name) }.values.reduce(into: [:]) { twins, alike in
            for one in alike { twins[one.id] = alike.first { $0.id != one.id }?.name }
        }
    }

    private func tag(_ row: Row) -> PeerTag { PeerTag(row.id, row.name, twin: twins[row.id]) }

    /// - Parameter account: facts that a peer has reported about itself
    /// - Parameter isBlind: true if this machine can see no other, because no avahi-daemon answers here
    /// - Parameter vouchers: the machines that were paired because another one vouched for them
    /// - Parameter removed: the machines that others removed from the household
    package func line(
        defaultPolicy: Policy,
        isBlind: Bool = false,
        vouchers: [PeerID: PeerID] = [:],
        removed: [PeerID: [PeerID]] = [:],
        account: (PeerID) -> PeerAccount?
    ) -> [DaemonLine] {
        let longest = rows.compactMap { $0.name?.description.count }.filter(Self.namesWidth.contains).max()
        return rows.map { row in
            let policy = row.known?.policy ?? defaultPolicy
            let isKnown = row.known?.isPinned == true
            let tag = tag(row)
            let line = Self.line(
                row.name?.description ?? "?",
                row.id.short,
                policy.rawValue,
                isKnown ? "yes" : "no",
                Self.place(row, isBlind) + (tag.twin.map { "; looks like “\($0)”" } ?? "")
                    + pairing(of: row, vouchers[row.id], removed[row.id] ?? []),
                names: longest ?? Self.namesWidth.lowerBound
            )
            let isOnline = row.found?.state == .present
            var info = MachineInfo(tag, policy: policy, isPaired: isKnown, isOnline: isOnline)
            info.addresses = Self.addresses(row)
            info.lastSeenAt = row.known?.lastSeen?.secondsSince1970
            info.pairedAt = row.known?.pinnedSince?.secondsSince1970
            info.voucher = vouchers[row.id]?.description
            info.removedBy = removed[row.id]?.map(\.description) ?? []
            if let account = account(row.id) {
                (info.version, info.secondsAhead) = (account.program.description, account.secondsAhead())
            }
            return DaemonLine(.machine(info), line)
        }
    }

    /// A note on how a machine was paired, if the user did not do that here, and on machines that have removed it
    /// since.
    private func pairing(of row: Row, _ voucher: PeerID?, _ removers: [PeerID]) -> String {
        let since = row.known?.pinnedSince.map { " on \(TimeText.local($0))" } ?? ""
        let vouched = voucher.map { "; paired\(since), as \(name(of: $0)) vouches for it" } ?? ""
        let by = removers.map(name).joined(separator: ", ")
        return vouched + (removers.isEmpty ? "" : "; removed by \(by): huddle keep, or huddle forget")
    }

    private func name(of peer: PeerID) -> String {
        rows.first { $0.id == peer }.map { "\(tag($0))" } ?? peer.short
    }

    private static func place(_ row: Row, _ isBlind: Bool) -> String {
        // A link-local address is of no use to the user: it is valid on a single cable. Programs receive all addresses.
        let address = row.found?.addresses.first { !$0.address.isLinkLocal }
        if let found = row.found, found.state == .present {
            return "online" + (address.map { ", \($0)" } ?? "")
        }
        if isBlind { return "not seen, as no avahi-daemon answers here: huddle doctor" }
        if row.found?.state == .unreachable(.linkDown) {
            return "offline: this machine has no network: huddle doctor"
        }
        if let found = row.found, !found.addresses.isEmpty {
            return "announced, but does not answer\(address.map { " at \($0)" } ?? ""): huddle doctor"
        }
        guard let seen = row.known?.lastSeen else { return "not seen yet" }
        return "last seen \(TimeText.local(seen))"
    }

    private static func addresses(_ row: Row) -> [String] {
        let found = row.found?.addresses.map(\.description) ?? []
        let kept = row.known?.addresses.map(\.description) ?? []
        return found + kept.filter { !found.contains($0) }
    }

    private static func line(
        _ name: String,
        _ id: String,
        _ policy: String,
        _ known: String,
        _ place: String,
        names width: Int
    ) -> String {
        [name.padded(to: width), id.padded(to: 9), policy.padded(to: 7), known.padded(to: 5), place].joined(
            separator: "  "
        )
    }
}
