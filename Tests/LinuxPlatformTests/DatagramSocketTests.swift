import Glibc
import LinuxPlatform
import Testing
import TestSupport

@Suite("DatagramSocket", .timeLimit(.minutes(5)))
struct DatagramSocketTests {
    let loop = EventLoop(named: "datagram loop")

    @Test("a datagram arrives whole, with its sender", arguments: loopbackAddresses)
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

    @Test("a socket on the unspecified IPv6 address speaks IPv4 too, and calls it so", arguments: loopbackAddresses)
    func bothFamilies(address: IPAddress) async throws {
        let everywhere = try DatagramSocket(on: SocketAddress(.v6(high: 0, low: 0, interface: 0), port: 0), loop: loop)
        let plain = try DatagramSocket(on: SocketAddress(address, port: 0), loop: loop)
        #expect(plain.send([1], to: SocketAddress(address, port: everywhere.address.port)) == .sent)
        let received = try await everywhere.receive(upTo: 9)
        #expect(received.sender == plain.address)
        #expect(everywhere.send([2], to: received.sender) == .sent)
        #expect(try await plain.receive(upTo: 9).bytes == [2])
    }

    @Test("one that is longer than wanted is passed over")
    func tooLong() async throws {
        let near = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        let far = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        #expect(near.send([1, 2, 3, 4], to: far.address) == .sent)
        #expect(near.send([5, 6, 7], to: far.address) == .sent)
        #expect(try await far.receive(upTo: 3).bytes == [5, 6, 7])
    }

    @Test("one that can't go is dropped with the reason, and nothing waits")
    func dropped() throws {
        let near = try DatagramSocket(on: anyLoopbackPort, loop: loop)
        let target = SocketAddress(.v4(127, 0, 0, 1), port: 9)
        #expect(
            near.send([UInt8](repeating: 0, count: 70_000), to: target) == .dropped(SystemError("sendto", EMSGSIZE))
        )
        #expect(try near.receiveIfReady(upTo: 9) == nil)
    }

    @Test("a port where nobody listens does not disturb what comes next")
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
