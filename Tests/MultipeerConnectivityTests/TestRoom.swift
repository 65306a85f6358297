import Discovery
import LinuxPlatform
import Session
import Synchronization
import Vocabulary

@testable import MultipeerConnectivity

/// A simulated network in which peers see each other at once: exactly the services advertised in it are visible.
final class TestRoom: Surroundings {
    private let state = Mutex(State())

    private struct State {
        var services: [Int: (type: ServiceType, seen: Seen)] = [:]
        var watchers: [Int: (type: ServiceType, tell: @Engine @Sendable (Sighting) -> Void)] = [:]
        var last = 0
    }

    func advertise(_ advertisement: Advertisement, troubled: @escaping @Engine @Sendable (String) -> Void) async {
        let address = SocketAddress(.v4(127, 0, 0, 1), port: advertisement.port)
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let seen = Seen(name: "\(advertisement.name) \(number)", txt: advertisement.txt, addresses: [address])
        let watchers = state.withLock { state in
            state.services[number] = (advertisement.type, seen)
            return state.watchers.values.filter { $0.type == advertisement.type }
        }
        for watcher in watchers { await watcher.tell(.there(seen)) }
        await untilCancelled()
        let rest = state.withLock { state in
            state.services[number] = nil
            return state.watchers.values.filter { $0.type == advertisement.type }
        }
        for watcher in rest { await watcher.tell(.gone(seen.name)) }
    }

    func browse(for type: ServiceType, _ seen: @escaping @Engine @Sendable (Sighting) -> Void) async {
        let (number, there) = state.withLock { state in
            state.last += 1
            state.watchers[state.last] = (type, seen)
            return (state.last, state.services.values.filter { $0.type == type }.map(\.seen))
        }
        for service in there { await seen(.there(service)) }
        await untilCancelled()
        state.withLock { $0.watchers[number] = nil }
    }

    /// Shows a service that no peer advertises.
    func show(_ sighting: Sighting, of type: ServiceType) async {
        let watchers = state.withLock { $0.watchers.values.filter { $0.type == type } }
        for watcher in watchers { await watcher.tell(sighting) }
    }

    private func untilCancelled() async {
        try? await Resumption<Void>().valueUnlessCancelled()
    }
}
