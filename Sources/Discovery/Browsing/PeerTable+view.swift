import LinuxPlatform
import Vocabulary

/// The listed form of the records.
extension PeerTable {
    mutating func refresh(_ origin: Origin, at now: Instant) {
        guard let record = updatedAddresses(of: origin) else { return }
        show(record, at: now)
        if record.isAdvertised, let endpoint = record.endpoint { showTyped(on: endpoint.port, at: now) }
    }

    /// Refreshes every record that a change of this endpoint could show or hide: unanswered old names of the same peer,
    /// and typed addresses.
    mutating func refreshOthers(sharing endpoint: PeerRecord.Endpoint, at now: Instant) {
        for record in records.values where record.wasUnanswered && record.endpoint?.host == endpoint.host {
            show(record, at: now)
        }
        showTyped(on: endpoint.port, at: now)
    }

    /// Refreshes typed addresses on this port: one may have become an advertised peer, or ceased to be one.
    private mutating func showTyped(on port: UInt16, at now: Instant) {
        for typed in typedPeers where typed.port == port {
            if let record = records[.typed(typed)] { show(record, at: now) }
        }
    }

    private mutating func updatedAddresses(of origin: Origin) -> PeerRecord? {
        if let endpoint = records[origin]?.endpoint, let host = hosts[endpoint.host], !host.isEmpty {
            records[origin]?.lastAddresses = host.inOrderOfPreference.map { SocketAddress($0, port: endpoint.port) }
        }
        return records[origin]
    }

    private mutating func show(_ record: PeerRecord, at now: Instant) {
        switch view(of: record, at: now) {
        case .success(let peer): publish(peer, of: record.origin, because: .unreachable)
        case .failure(let absence): publish(nil, of: record.origin, because: absence.reason)
        }
    }

    private struct Absence: Error { let reason: LossReason }

    private func view(of record: PeerRecord, at now: Instant) -> Result<FoundPeer, Absence> {
        guard let endpoint = record.endpoint, record.isComplete, endpoint.port != 0, !isOwn(endpoint),
            !LeavingMark.stands(in: endpoint.txt)
        else {
            return .failure(Absence(reason: .goodbye))
        }
        if record.isLost(at: now) { return .failure(Absence(reason: .unreachable)) }
        if isSuperseded(record) { return .failure(Absence(reason: .renamed)) }
        return .success(
            FoundPeer(
                origin: record.origin,
                state: record.doubt.map { .unreachable($0.reason) } ?? .present,
                hostName: Self.shownHost(endpoint.host),
                port: endpoint.port,
                addresses: record.lastAddresses,
                txt: endpoint.txt,
                interfaces: record.linkNames(without: downLinks)
            )
        )
    }

    /// The host without the final dot, or without the blank that marks a typed host.
    private static func shownHost(_ host: String) -> String {
        PrintableText(host.last == "." || host.last == " " ? String(host.dropLast()) : host).description
    }

    private func isOwn(_ endpoint: PeerRecord.Endpoint) -> Bool {
        (ownRun != nil && endpoint.run == ownRun) || (ownID != nil && endpoint.peerID == ownID)
    }

    /// True if another record shows the same peer better.
    private func isSuperseded(_ record: PeerRecord) -> Bool {
        switch record.origin {
        case .typed: isAdvertisedToo(record)
        case .advertised: hasNewerName(record)
        }
    }

    /// True if a listed advertised peer has one of the typed addresses.
    private func isAdvertisedToo(_ typed: PeerRecord) -> Bool {
        let addresses = Set(typed.lastAddresses)
        return records.values.contains { other in
            other.isAdvertised && listed[other.origin] != nil && !addresses.isDisjoint(with: other.lastAddresses)
        }
    }

    /// True if the peer has a newer name. The old name stays in caches if its goodbye was lost; both names carry the
    /// same run token. Any host can copy a token, a host and a port, so a name that is still answered is never hidden.
    private func hasNewerName(_ record: PeerRecord) -> Bool {
        guard record.wasUnanswered, let endpoint = record.endpoint, let run = endpoint.run else { return false }
        return records.values.contains { other in
            guard let theirs = other.endpoint, other.origin != record.origin, other.isAdvertised else { return false }
            return theirs.run == run && theirs.host == endpoint.host && theirs.port == endpoint.port
                && other.firstSighted > record.firstSighted
        }
    }
}
