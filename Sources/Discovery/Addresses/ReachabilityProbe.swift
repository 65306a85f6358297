import Glibc
import LinuxPlatform

/// Tests if a program listens at an address: it opens a connection and closes it at once.
enum ReachabilityProbe {
    enum Outcome: Hashable, Sendable {
        case accepted
        /// The machine runs, and no program listens on that port.
        case refused
        /// No reply came within two seconds.
        case silence
    }

    private static let patience: Duration = .seconds(2)
    private static let addressesTried = 4

    /// Probes the first four addresses at the same time: a peer that lost one address family still counts as present,
    /// and a dead peer is known after one timeout.
    static func ask(_ addresses: [SocketAddress]) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            for address in addresses.prefix(addressesTried) {
                group.addTask { await ask(address) }
            }
            var best = Outcome.silence
            for await outcome in group where outcome != .silence {
                best = outcome
                if outcome == .accepted { break }
            }
            group.cancelAll()
            return best
        }
    }

    private static func ask(_ address: SocketAddress) async -> Outcome {
        do {
            _ = try await StreamSocket.connect(to: address, within: patience, on: .shared)
            return .accepted
        } catch let error as SystemError {
            return error.number == ECONNREFUSED || error.number == ECONNRESET ? .refused : .silence
        } catch {
            return .silence
        }
    }
}
