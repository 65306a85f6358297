import LinuxPlatform
import Synchronization
import Vocabulary

/// Finds the addresses of a host that the user typed: a literal address unchanged, a name below `.local` through the
/// responder, any other name through the system's resolver.
///
/// On Debian, the system's resolver finds only IPv4 addresses for `.local` names.
struct HostResolver {
    let directory: any ServiceDirectory

    private static let patience: Duration = .seconds(3)
    /// Extra time for the other address family after the first answer.
    private static let courtesy: Duration = .milliseconds(150)

    func addresses(of typed: HostAndPort) async -> [SocketAddress] {
        let found: [IPAddress]
        if let literal = IPAddress(typed.host) {
            found = [literal]
        } else if typed.host.lowercased().hasSuffix(".local") || typed.host.lowercased().hasSuffix(".local.") {
            found = await askResponder(typed.host)
        } else {
            let host = typed.host
            found = (try? await runBlocking("resolver") { try IPAddress.lookUp(host) }) ?? []
        }
        return found.map { SocketAddress($0, port: typed.port) }
    }

    private func askResponder(_ host: String) async -> [IPAddress] {
        let answers = Collected()
        let operations = await directory.loop.performing {
            AddressFamily.allCases.compactMap { family in
                try? directory.addresses(of: host, family) { @Sendable answer in answers.take(answer) }
            }
        }
        let loop = directory.loop
        try? await loop.withDeadline(Self.patience, "mDNS") { try await answers.first.valueUnlessCancelled() }
        if !answers.isEmpty { try? await loop.sleep(for: Self.courtesy) }
        await loop.performing { for operation in operations { operation.cancel() } }
        return answers.sorted
    }

    private final class Collected: Sendable {
        let first = Resumption<Void>()
        private let addresses = Mutex(HostAddresses())

        var isEmpty: Bool { addresses.withLock(\.isEmpty) }
        var sorted: [IPAddress] { addresses.withLock(\.inOrderOfPreference) }

        func take(_ answer: AddressAnswer) {
            guard case .appeared(let address, _) = answer else { return }
            _ = addresses.withLock { $0.add(address) }
            first.resume(with: .success(()))
        }
    }
}
