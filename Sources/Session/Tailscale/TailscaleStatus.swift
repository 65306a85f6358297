import LinuxPlatform
import SecureArchive
import Vocabulary

/// The machines of a Tailscale network, as the local `tailscaled` lists them.
///
/// The list only says where to dial. The peer that answers there must prove its key.
struct TailscaleStatus: Hashable, Sendable {
    struct Machine: Hashable, Sendable {
        let name: String
        let addresses: [IPAddress]
        /// True if it belongs to the same user as this machine.
        let isOwn: Bool
    }

    /// The machines that are online.
    let machines: [Machine]

    /// The size of the longest answer that is read. A network of 500 machines needs about half of it.
    static let longestAnswer = 1 << 20
    private static let longestHead = 16_384
    private static let mostAddresses = 4

    enum Fault: Error {
        case noAnswer
        case noStatus
        case tooLong
    }

    private static var limits: ArchiveLimits {
        var limits = ArchiveLimits()
        (limits.bytes, limits.depth, limits.values) = (longestAnswer, 16, 100_000)
        (limits.expandedBytes, limits.stringBytes) = (4 * longestAnswer, 65_536)
        return limits
    }

    /// Reads the answer of `GET /localapi/v0/status` in HTTP/1.0: a head, an empty line, JSON.
    init(answer: [UInt8]) throws {
        guard answer.count <= Self.longestAnswer else { throw Fault.tooLong }
        let end = Array("\r\n\r\n".utf8)
        let head = answer.prefix(Self.longestHead)
        guard head.starts(with: Array("HTTP/1.".utf8)), head.dropFirst(8).starts(with: Array(" 200 ".utf8)),
            let length = head.indices.first(where: { head[$0...].starts(with: end) })
        else { throw Fault.noAnswer }
        try self.init(json: Array(answer[(length + end.count)...]))
    }

    init(json: [UInt8]) throws {
        guard case .dictionary(let status) = try JSON.read(json, limits: Self.limits),
            case .dictionary(let peers) = status["Peer"] ?? .dictionary(ArchiveFields())
        else { throw Fault.noStatus }
        let user: ArchiveValue? = if case .dictionary(let own) = status["Self"] { own["UserID"] } else { nil }
        machines = peers.values.compactMap { Machine($0, of: user) }
    }

    /// The addresses where a peer of this name may listen: first those of machines of that name, then those of this
    /// user's other machines.
    func addresses(of name: InstanceName?, port: UInt16) -> [SocketAddress] {
        let wanted = name.map { Self.letters(of: $0.description) }
        let named = machines.filter { Self.letters(of: $0.name) == wanted }
        let others = machines.filter { $0.isOwn && Self.letters(of: $0.name) != wanted }
        let order = [named, others].flatMap { machines in
            DialOrder.interleaved(
                machines.sorted { $0.name < $1.name }.map { $0.addresses.map { SocketAddress($0, port: port) } }
            )
        }
        return Array(order.prefix(Self.mostAddresses))
    }

    /// The letters and digits of a name, in lower case. Tailscale names a machine “Living Room” `living-room`.
    private static func letters(of name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension TailscaleStatus.Machine {
    private static let mostAddresses = 2

    /// - Returns: nil for a machine that is offline, or has no name or address
    fileprivate init?(_ value: ArchiveValue, of user: ArchiveValue?) {
        guard case .dictionary(let fields) = value, fields["Online"] == .bool(true),
            case .string(let name) = fields["HostName"], case .array(let listed) = fields["TailscaleIPs"]
        else { return nil }
        let addresses = Array(
            listed.lazy.compactMap { address -> IPAddress? in
                if case .string(let text) = address { IPAddress(text) } else { nil }
            }.prefix(Self.mostAddresses)
        )
        guard !addresses.isEmpty else { return nil }
        self.init(name: name, addresses: addresses, isOwn: user != nil && fields["UserID"] == user)
    }
}
