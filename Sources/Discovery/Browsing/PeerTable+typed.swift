import LinuxPlatform
import Vocabulary

/// Peers with an address that the user typed. They are listed once a probe has ended, and stay until they are removed.
extension PeerTable {
    mutating func add(_ typed: HostAndPort) {
        let origin = Origin.typed(typed)
        guard records[origin] == nil else { return }
        var record = PeerRecord(origin)
        record.endpoint = .init(host: Self.hostKey(of: typed), port: typed.port, txt: TXTRecord())
        records[origin] = record
        typedPeers.insert(typed)
    }

    mutating func remove(_ typed: HostAndPort, at now: Instant) {
        typedPeers.remove(typed)
        drop(.typed(typed), because: .removed, at: now)
    }

    /// Stores the result of a probe of a typed peer and the addresses of its host.
    mutating func probed(
        _ typed: HostAndPort,
        at addresses: [SocketAddress],
        _ outcome: ReachabilityProbe.Outcome,
        at now: Instant
    ) {
        let origin = Origin.typed(typed)
        guard records[origin] != nil else { return }
        records[origin]?.wasProbed = true
        if !addresses.isEmpty { records[origin]?.lastAddresses = addresses }
        switch outcome {
        case .accepted: records[origin]?.doubt = nil
        case .refused: records[origin]?.doubt = .init(reason: .refused, lostAt: nil)
        case .silence: records[origin]?.doubt = .init(reason: .notAnswering, lostAt: nil)
        }
        refresh(origin, at: now)
    }

    /// Key of a typed host in the table of addresses. The system's resolver looks up typed hosts, and they must not
    /// share the answers of mDNS.
    private static func hostKey(of typed: HostAndPort) -> String { "\(typed.host) " }
}
