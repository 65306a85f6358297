import Household
import LinuxPlatform
import Vocabulary

/// A trial of multicast: mDNS queries (RFC 6762) of its own, not through Avahi, to which each responder on the network
/// responds.
///
/// The queries leave from the mDNS port, so that the responses come by multicast, too. If this machine hears another
/// one, that machine has therefore heard this one.
struct MulticastCall: Sendable {
    struct Answer: Sendable {
        var failure: String?
        var ownAnswered = false
        /// The addresses, as bytes, of other machines that sent a packet.
        var heard: Set<[UInt8]> = []
    }

    private static let port: UInt16 = 5353
    private static let fourGroup = IPAddress.v4(224, 0, 0, 251)
    /// The pauses after the queries. A responder sends the same response at most once a second.
    private static let pauses: [Duration] = [.milliseconds(900), .milliseconds(1200), .milliseconds(700)]
    private static let mostAddresses = 8
    private static let longestMessage = 9000

    private let question: [UInt8]
    private let own: Set<[UInt8]>

    /// - Parameters:
    ///   - type: the service type
    ///   - addresses: the addresses of machines that should hear the queries, each of which is asked for its own name
    init(asking type: ServiceType, and addresses: [IPAddress]) {
        let reversed = addresses.filter { $0.bytes.count == 4 }.prefix(Self.mostAddresses).map { address in
            address.bytes.reversed().map { "\($0)" } + ["in-addr", "arpa"]
        }
        let services = type.description.split(separator: ".").map(String.init) + ["local"]
        let pointers = [services, ["_services", "_dns-sd", "_udp", "local"]] + reversed
        question = Self.message(asking: pointers, host: [MachineName.own.text.lowercased(), "local"])
        own = Set(((try? NetworkInterface.all()) ?? []).flatMap(\.addresses).map(\.bytes))
    }

    func make(over interface: NetworkInterface) async -> Answer {
        var groups: [SocketAddress] = []
        if interface.addresses.contains(where: { $0.bytes.count == 4 }) {
            groups.append(SocketAddress(Self.fourGroup, port: Self.port))
        }
        if interface.addresses.contains(where: { $0.bytes.count == 16 && $0.isLinkLocal }) {
            let group = IPAddress.v6(high: 0xFF02 << 48, low: 0xFB, interface: interface.index)
            groups.append(SocketAddress(group, port: Self.port))
        }
        let answers = await withTaskGroup(of: Answer.self) { tasks in
            for group in groups { tasks.addTask { await make(to: group, over: interface) } }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        // One of IPv4 and IPv6 is enough.
        let isSent = answers.contains { $0.failure == nil }
        return Answer(
            failure: isSent ? nil : answers.first?.failure ?? "it has no address",
            ownAnswered: answers.contains(where: \.ownAnswered),
            heard: answers.reduce(into: []) { $0.formUnion($1.heard) }
        )
    }

    private func make(to group: SocketAddress, over interface: NetworkInterface) async -> Answer {
        do {
            let socket = try DatagramSocket(joining: group, on: interface.index, loop: .shared)
            return await withTaskGroup(of: Answer.self) { tasks in
                tasks.addTask { await listen(at: socket) }
                var failure: String?
                for pause in Self.pauses {
                    if case .dropped(let error) = socket.send(question, to: group) { failure = error.reason }
                    try? await EventLoop.shared.sleep(for: pause)
                }
                tasks.cancelAll()
                var answer = await tasks.next() ?? Answer()
                answer.failure = failure
                return answer
            }
        } catch {
            return Answer(failure: error.reason)
        }
    }

    /// Notes each packet until the task is cancelled.
    private func listen(at socket: DatagramSocket) async -> Answer {
        var answer = Answer()
        while let came = try? await socket.receive(upTo: Self.longestMessage) { note(came, in: &answer) }
        return answer
    }

    private func note(_ came: DatagramSocket.Received, in answer: inout Answer) {
        let isOwn = own.contains(came.sender.address.bytes)
        guard isOwn else { return _ = answer.heard.insert(came.sender.address.bytes) }
        // This bit (QR) is set in responses and clear in queries.
        if came.bytes.count > 2, came.bytes[2] & 0x80 != 0 { answer.ownAnswered = true }
    }

    /// Builds a query for the PTR records of these names and for the A record of a host.
    static func message(asking pointers: [[String]], host: [String]) -> [UInt8] {
        let (pointer, address, internet): (UInt8, UInt8, UInt8) = (12, 1, 1)
        var bytes: [UInt8] = [0, 0, 0, 0, 0, UInt8(pointers.count + 1), 0, 0, 0, 0, 0, 0]
        for labels in pointers { bytes += name(labels) + [0, pointer, 0, internet] }
        return bytes + name(host) + [0, address, 0, internet]
    }

    private static func name(_ labels: [String]) -> [UInt8] {
        labels.flatMap { label in [UInt8(min(label.utf8.count, 63))] + label.utf8.prefix(63) } + [0]
    }
}
