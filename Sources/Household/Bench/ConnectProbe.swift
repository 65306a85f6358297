import LinuxPlatform

/// The speed of the network without Huddle: the time to connect to the peer, whose kernel answers by itself, and the
/// nominal speed of this machine's line.
struct ConnectProbe: Sendable {
    private(set) var times = Samples()
    /// Bytes a second; nil if the kernel does not know, as with Wi-Fi.
    private(set) var lineRate: Double?

    /// - Parameters:
    ///   - address: address on which the peer listens; if it is nil, nothing is measured
    ///   - most: number of connections, made one after the other
    ///   - limit: time for all of them
    static func at(_ address: SocketAddress?, _ most: Int, within limit: Duration) async -> ConnectProbe {
        var probes = ConnectProbe()
        guard let address else { return probes }
        let deadline = ContinuousClock.now + limit
        repeat {
            let begun = ContinuousClock.now
            guard let socket = try? await StreamSocket.connect(to: address, within: limit, on: .shared) else { break }
            probes.times.add(.now - begun)
            if probes.lineRate == nil { probes.lineRate = lineRate(from: socket.localAddress?.address) }
        } while probes.times.count < most && ContinuousClock.now < deadline
        return probes
    }

    private static func lineRate(from address: IPAddress?) -> Double? {
        guard let address, let all = try? NetworkInterface.all(),
            let name = all.first(where: { $0.addresses.contains(address) && !$0.isLoopback })?.name,
            let text = try? FolderPath.bytes(of: "/sys/class/net/\(name)/speed", limit: 8192),
            let megabits = Double(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)),
            megabits > 0
        else { return nil }
        return megabits * 1_000_000 / 8
    }
}
