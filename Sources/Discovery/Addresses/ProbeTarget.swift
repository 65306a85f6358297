import LinuxPlatform
import Vocabulary

/// A peer to probe.
enum ProbeTarget {
    case advertised(InstanceName, [SocketAddress])
    case typed(HostAndPort)
}

extension PeerTable {
    /// The addresses that the user typed, private or public.
    var typedTargets: [ProbeTarget] { typedPeers.map { .typed($0) } }

    /// The advertised peers that may be probed, known ones first. Any host can advertise any address. Without the limit
    /// to private networks, a stranger could make every machine of the household connect to a public one. Loopback
    /// addresses are only probed for peers that are seen on the loopback alone.
    var advertisedTargets: [ProbeTarget] {
        let (first, others) = (records.values.filter(isKnown), records.values.filter { !isKnown($0) })
        return (first + others).compactMap { record in
            guard case .advertised(let name) = record.origin, record.isSighted, record.isComplete else { return nil }
            let addresses = record.lastAddresses.filter { address in
                address.address.isLoopback ? record.isOnLoopbackOnly : address.address.isPrivate
            }
            return addresses.isEmpty ? nil : .advertised(name, addresses)
        }
    }

    /// Records the result of a probe. A refused connection is a sign of life, too: the machine runs, whatever port it
    /// advertised.
    mutating func probed(_ name: InstanceName, _ outcome: ReachabilityProbe.Outcome, at now: Instant) {
        switch outcome {
        case .accepted, .refused: noteLife(of: .advertised(name), at: now)
        case .silence: noteSilence(of: .advertised(name), at: now)
        }
    }

    /// The link with this index on which a service was seen.
    func link(_ index: UInt32, of name: InstanceName) -> Link? {
        records[.advertised(name)]?.sightings.keys.first { $0.index == index }
    }

    /// Notes that a lookup is open: its records replace those that a resolver reports.
    mutating func following(_ lookup: Lookup) {
        guard case .texts(let name) = lookup else { return }
        // A record that is shown already stays visible.
        if records[.advertised(name)]?.endpoint == nil { records[.advertised(name)]?.texts.follow() }
    }

    /// Notes that a lookup is closed. Its last answer stays, as no change will be reported.
    mutating func stoppedFollowing(_ lookup: Lookup) {
        switch lookup {
        case .address(let host, let family): hosts[host]?.stopFollowing(family)
        case .texts(let name): records[.advertised(name)]?.texts.forget()
        case .service: break
        }
    }
}
