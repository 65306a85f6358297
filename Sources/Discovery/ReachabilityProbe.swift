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

    /// Asks one address after the other until somebody answers.
    static func ask(_ addresses: [SocketAddress]) async -> Outcome {
        var best = Outcome.silence
        for address in addresses.prefix(addressesTried) {
            switch await ask(address) {
            case .accepted: return .accepted
            case .refused: best = .refused
            case .silence: continue
            }
        }
        return best
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
