import Glibc
import LinuxPlatform

/// Asks whether somebody is at an address: a connection is opened and closed at once.
enum ReachabilityProbe {
    /// What came of it.
    enum Outcome: Hashable, Sendable {
        /// Somebody took the connection.
        case accepted
        /// The machine is there and nobody listens on that port.
        case refused
        /// Nothing came back.
        case silence
    }

    private static let patience: Duration = .seconds(2)
    private static let addressesTried = 4

    /// Asks the best addresses all at once, so that a peer that lost one family is not taken for silent and one that is
    /// gone is known to be after one patience.
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
