import Diagnosis
import Glibc
import LinuxPlatform

/// A trial connection to an address.
enum Dial {
    private static let patience: Duration = .seconds(2)

    static func to(_ address: SocketAddress) async -> PeerFacts.Connection {
        do {
            _ = try await StreamSocket.connect(to: address, within: patience, on: .shared)
            return .answered
        } catch let error as SystemError {
            return error.number == ECONNREFUSED || error.number == ECONNRESET ? .refused : .silent
        } catch {
            return .silent
        }
    }

    /// Tries all addresses at once. Returns the best outcome and its address.
    static func best(of addresses: [SocketAddress]) async -> (outcome: PeerFacts.Connection, address: SocketAddress?) {
        await withTaskGroup(of: (PeerFacts.Connection, SocketAddress).self) { group in
            for address in addresses { group.addTask { (await to(address), address) } }
            var best: (outcome: PeerFacts.Connection, address: SocketAddress?) = (.untried, addresses.first)
            for await (outcome, address) in group {
                if outcome == .answered { return (outcome, address) }
                if best.outcome != .refused { best = (outcome, address) }
            }
            return best
        }
    }
}
