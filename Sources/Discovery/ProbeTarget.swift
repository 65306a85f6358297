import LinuxPlatform
import Vocabulary

/// A peer to be asked whether it is there.
enum ProbeTarget {
    case advertised(InstanceName, [SocketAddress])
    case typed(HostAndPort)

    var isAdvertised: Bool {
        if case .advertised = self { return true }
        return false
    }
}

extension PeerTable {
    /// Everybody who could be asked. A peer whose link is down is left alone: nothing could come of it.
    var probeTargets: [ProbeTarget] {
        records.values.compactMap { record in
            switch record.origin {
            case .typed(let address):
                .typed(address)
            case .advertised(let name):
                record.isSighted && record.isComplete ? .advertised(name, record.lastAddresses) : nil
            }
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

    /// A question is no longer open: its last answer stands, and will not be taken back.
    mutating func stoppedFollowing(_ lookup: Lookup) {
        if case .address(let host, let family) = lookup { hosts[host]?.stopFollowing(family) }
    }
}
