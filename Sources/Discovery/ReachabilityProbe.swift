import Glibc
import LinuxPlatform

/// Whether somebody is at an address: a connection is opened and closed at once.
enum ReachabilityProbe {
    private static let patience: Duration = .seconds(2)
    private static let addressesTried = 4

    /// A refused connection is an answer too: the machine is there.
    static func anyoneAnswers(at addresses: [SocketAddress]) async -> Bool {
        for address in addresses.prefix(addressesTried) where await answers(address) { return true }
        return false
    }

    private static func answers(_ address: SocketAddress) async -> Bool {
        do {
            _ = try await StreamSocket.connect(to: address, within: patience, on: .shared)
            return true
        } catch let error as SystemError {
            return error.number == ECONNREFUSED || error.number == ECONNRESET
        } catch {
            return false
        }
    }
}
