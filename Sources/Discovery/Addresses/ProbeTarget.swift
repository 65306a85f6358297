import LinuxPlatform
import Vocabulary

/// A peer to be asked whether it is there.
enum ProbeTarget {
    case advertised(InstanceName, [SocketAddress])
    case typed(HostAndPort)
}

extension PeerTable {
    /// What a person typed, wherever it is.
    var typedTargets: [ProbeTarget] { typedPeers.map { .typed($0) } }

    /// The advertised peers that may be asked. Anybody can advertise any address, so only those are asked that belong to
    /// private networks, or a stranger could have every machine in the house knock at a public one; and this machine's own
    /// only for peers that are seen on it alone.
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

    /// An advertised peer has been asked. A refused connection is a sign of life too: the machine is there, and what it
    /// advertises is its own affair.
    mutating func probed(_ name: InstanceName, _ outcome: ReachabilityProbe.Outcome, at now: Instant) {
        switch outcome {
        case .accepted, .refused: noteLife(of: .advertised(name), at: now)
        case .silence: noteSilence(of: .advertised(name), at: now)
        }
    }

    /// The link on which a service was seen, by its number.
    func link(_ index: UInt32, of name: InstanceName) -> Link? {
        records[.advertised(name)]?.sightings.keys.first { $0.index == index }
    }

    /// A question is open: what another one says of the same thing is not needed.
    mutating func following(_ lookup: Lookup) {
        guard case .texts(let name) = lookup else { return }
        // One that is shown already stays so.
        if records[.advertised(name)]?.endpoint == nil { records[.advertised(name)]?.texts.follow() }
    }

    /// A question is no longer open: its last answer stands, and will not be taken back.
    mutating func stoppedFollowing(_ lookup: Lookup) {
        switch lookup {
        case .address(let host, let family): hosts[host]?.stopFollowing(family)
        case .texts(let name): records[.advertised(name)]?.texts.forget()
        case .service: break
        }
    }
}
