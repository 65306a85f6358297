import Discovery
import Synchronization

/// A record of whether Avahi ran at least once.
final class AvahiSeen: Sendable {
    private struct State {
        var wasThere = false
        var absence: AvahiAbsence?
    }

    private let state = Mutex(State())

    /// The reason why Avahi never ran; nil if it did.
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
