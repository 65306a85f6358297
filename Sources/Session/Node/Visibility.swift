public import Discovery
public import Vocabulary

/// Tells if this machine and the others on the network can find each other by themselves.
public enum Visibility: Hashable, Sendable {
    /// Unknown yet, or discovery is off.
    case unknown
    /// Others find this machine under this name.
    case seen(as: InstanceName)
    /// This machine can find others, and does not advertise itself.
    case looking
    /// None of its network interfaces exists.
    case noInterface
    /// Avahi is missing.
    case blind(AvahiAbsence)

    init(_ event: Advertiser.Event) {
        switch event {
        case .advertised(let name), .renamed(_, let name): self = .seen(as: name)
        case .withdrawn(let absence): self = .blind(absence)
        case .noInterface: self = .noInterface
        }
    }

    /// - Returns: nil for a notice without relation to visibility
    init?(_ notice: DiscoveryNotice) {
        switch notice {
        case .avahiIsThere: self = .looking
        case .waitingForAvahi(let absence): self = .blind(absence)
        case .interfaceAppeared, .interfaceVanished, .ignored, .tooManyServices, .missed: return nil
        }
    }
}
