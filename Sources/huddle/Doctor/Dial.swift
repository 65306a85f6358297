import Diagnosis
import Glibc
import LinuxPlatform

/// A trial connection to an address.
enum Dial {
    private static let patience: Duration = .seconds(2)

    struct Outcome: Sendable {
        let connection: PeerFacts.Connection
        /// The address that was tried; nil if there was none.
        let address: SocketAddress?
        /// The address of this machine from which it connected.
        var own: IPAddress?
    }

    static func to(_ address: SocketAddress) async -> Outcome {
        do {
            let socket = try await StreamSocket.connect(to: address, within: patience, on: .shared)
            return Outcome(connection: .answered, address: address, own: socket.localAddress?.address)
        } catch let error as SystemError {
            let isRefused = error.number == ECONNREFUSED || error.number == ECONNRESET
            return Outcome(connection: isRefused ? .refused : .silent, address: address)
        } catch {
            return Outcome(connection: .silent, address: address)
        }
    }

    /// Tries all addresses at once. Returns the best outcome.
    static func best(of addresses: [SocketAddress]) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            for address in addresses { group.addTask { await to(address) } }
            var best = Outcome(connection: .untried, address: addresses.first)
            for await outcome in group {
                if outcome.connection == .answered { return outcome }
                if best.connection != .refused { best = outcome }
            }
            return best
        }
    }
}
