import Glibc
import LinuxPlatform
import Testing
import TestSupport

@Suite("DatagramSocket", .timeLimit(.minutes(5)))
struct DatagramSocketTests {
    let loop = EventLoop(named: "datagram loop")

    @Test("A datagram arrives completely, with its sender", arguments: loopbackAddresses)
    func arrives(address: IPAddress) async throws {
        let near = try DatagramSocket(on: SocketAddress(address, port: 0), loop: loop)
        let far = try DatagramSocket(on: SocketAddress(address, port: 0), loop: loop)
        for count in [1, 0, 1_200] {
            async let received = far.receive(upTo: 1_200)
            #expect(near.send([UInt8](repeating: 7, count: count), to: far.address) == .sent)
            let datagram = try await received
            #expect(datagram.bytes == [UInt8](repeating: 7, count: count))
            #expect(datagram.sender == near.address)
        }
    }

    @Test(
        "A socket on the unspecified IPv6 address also uses IPv4, and reports IPv4 addresses",
        arguments: loopbackAddresses
    )
    func bothFamilies(address: IPAddress) async throws {
        let everywhere = try DatagramSocket(on: SocketAddress(.v6(high: 0, low: 0, interface: 0), port: 0), loop: loop)
        let plain = try DatagramSocket(on: SocketAddress(address, port: 0), loop: loop)
        #expect(plain.send([1], to: SocketAddress(address, port: everywhere.address.port)) == .sent)
        let received = try await everywhere.receive(upTo: 9)
        #expect(received.sender == plain.address)
        #expect(everywhere.send([2], to: received.sender) == .sent)
        #expect(try await plain.receive(upTo: 9).bytes == [2])
    }

    @Test("A datagram beyond the limit is skipped")
    func tooLong() async throws {
        let near = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        let far = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        #expect(near.send([1, 2, 3, 4], to: far.address) == .sent)
        #expect(near.send([5, 6, 7], to: far.address) == .sent)
        #expect(try await far.receive(upTo: 3).bytes == [5, 6, 7])
    }

    @Test("A datagram that can't be sent is dropped with the reason, without waiting")
    func dropped() throws {
        let near = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        let target = SocketAddress(.v4(127, 0, 0, 1), port: 9)
        #expect(
            near.send([UInt8](repeating: 0, count: 70_000), to: target) == .dropped(SystemError("sendto", EMSGSIZE))
        )
        #expect(try near.receiveIfReady(upTo: 9) == nil)
    }

    @Test("A port without a listener does not disturb later datagrams")
    func refused() async throws {
        let near = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        let (holder, port) = try BlockingSocket.boundToLoopback(backlog: nil)
        for _ in 0..<5 { #expect(near.send([1], to: SocketAddress(.v4(127, 0, 0, 1), port: port)) == .sent) }
        let far = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        #expect(far.send([3], to: near.address) == .sent)
        #expect(try await near.receive(upTo: 9).bytes == [3])
        withExtendedLifetime(holder) {}
    }
}
