import Discovery
import Synchronization

/// Notes if Avahi ran at least once.
final class AvahiSeen: Sendable {
    private struct State {
        var wasThere = false
        var absence: AvahiAbsence?
    }

    private let state = Mutex(State())

    /// The latest reason why Avahi did not run; nil if it ran at least once, or has given no reason.
    var absenceAllTheTime: AvahiAbsence? {
        state.withLock { $0.wasThere ? nil : $0.absence }
    }

    func note(_ event: DiscoveryEvent) {
        state.withLock { state in
            switch event {
            case .notice(.avahiIsThere): state.wasThere = true
            case .notice(.waitingForAvahi(let absence)): state.absence = absence
            default: break
            }
        }
    }
}
