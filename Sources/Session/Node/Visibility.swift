public import Discovery
public import Vocabulary

/// Whether this machine and the others on the network can find each other by themselves.
public enum Visibility: Hashable, Sendable {
    /// Nothing is known of it yet, or nobody is to be found.
    case unknown
    /// Others find this machine under this name.
    case seen(as: InstanceName)
    /// Nothing stands in the way of finding others; this machine itself is not to be found.
    case looking
    /// None of the network interfaces on which it may be found is there.
    case noInterface
    /// Avahi does not do its part.
    case blind(AvahiAbsence)

    /// - Parameter event: what the advertiser tells
    init(_ event: Advertiser.Event) {
        switch event {
        case .advertised(let name), .renamed(_, let name): self = .seen(as: name)
        case .withdrawn(let absence): self = .blind(absence)
        case .noInterface: self = .noInterface
        }
    }

    /// - Parameter notice: what a browser tells; nil for what says nothing about this
    init?(_ notice: DiscoveryNotice) {
        switch notice {
        case .avahiIsThere: self = .looking
        case .waitingForAvahi(let absence): self = .blind(absence)
        case .interfaceAppeared, .interfaceVanished, .ignored, .tooManyServices, .missed: return nil
        }
    }
}
