import CLinux
import Glibc
@testable import LinuxPlatform
import Testing
import TestSupport

@Suite("IPAddress and SocketAddress", .timeLimit(.minutes(5)))
struct AddressTests {
    @Test(
        "An address is parsed and printed in its canonical form",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::", "::"), ("::1", "::1"), ("fd00::1", "fd00::1"), ("FD00:0:0:0::A", "fd00::a"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"), ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
            ("fe80::1", "fe80::1"), ("fe80::1%lo", "fe80::1%lo"), ("fe80::1%1", "fe80::1%lo"),
            ("fe80::1%4000000", "fe80::1%4000000"),
        ]
    )
    func roundTrip(text: String, printed: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == printed)
        #expect(IPAddress(printed) == address)
    }

    @Test(
        "An invalid address is refused",
        arguments: [
            "", " ", "localhost", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4x", "1.2.3.4 ", " 1.2.3.4", "fe80::1%",
            "fe80::1%no-such-interface", "fe80::1%0", "fe80::1%4294967296", "fe80::1%-1", "1.2.3.4%lo", "::1::",
            "[::1]", "12345::", "::%lo%lo", "1.2.3.4\0", "::1\0junk", "fe80::1%lo\0junk", "fe80::1%+1",
        ]
    )
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("Only link-local addresses keep a scope")
    func scopes() {
        let linkLocal: [UInt8] = [0xFE, 0xBF] + [UInt8](repeating: 0, count: 14)
        let global: [UInt8] = [0xFE, 0xC0] + [UInt8](repeating: 0, count: 14)
        #expect(IPAddress(bytes: linkLocal, seenOn: 7) == .v6(high: 0xFEBF << 48, low: 0, interface: 7))
        #expect(IPAddress(bytes: global, seenOn: 7) == .v6(high: 0xFEC0 << 48, low: 0, interface: 0))
        #expect(IPAddress(bytes: [], seenOn: 0) == nil)
        #expect(IPAddress(bytes: [1, 2, 3, 4, 5], seenOn: 0) == nil)
    }

    @Test("Random addresses survive the conversion to bytes and back", arguments: [1, 2, 3] as [UInt64])
    func bytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for count in Array(repeating: [4, 16], count: 200).flatMap({ $0 }) {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let address = try #require(IPAddress(bytes: bytes, seenOn: 0))
            #expect(address.bytes == bytes, "seed \(seed)")
            #expect(IPAddress(address.description) == address, "seed \(seed)")
        }
    }

    @Test(
        "An address has the right scope",
        arguments: [
            ("127.0.0.1", true, false), ("127.255.0.9", true, false), ("128.0.0.1", false, false), ("::1", true, false),
            ("::2", false, false), ("169.254.3.4", false, true), ("169.255.0.1", false, false),
            ("fe80::1", false, true),
            ("febf::1", false, true), ("fec0::1", false, false),
        ]
    )
    func reach(text: String, isLoopback: Bool, isLinkLocal: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isLoopback == isLoopback)
        #expect(address.isLinkLocal == isLinkLocal)
    }

    @Test(
        "A socket address puts IPv6 in brackets",
        arguments: [
            ("10.0.0.1", "10.0.0.1:80"), ("::1", "[::1]:80"), ("fe80::1%lo", "[fe80::1%lo]:80"),
        ]
    )
    func socketAddress(text: String, printed: String) throws {
        #expect(SocketAddress(try #require(IPAddress(text)), port: 80).description == printed)
    }

    @Test("The kernel's form keeps address, port and scope", arguments: ["10.1.2.3", "2001:db8::9", "fe80::1%7"])
    func rawForm(text: String) throws {
        let address = SocketAddress(try #require(IPAddress(text)), port: 0x1234)
        let again = try address.withRaw { raw, length in
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: Int(length)))
            }
            return SocketAddress(storage)
        }
        #expect(again == address)
    }
}

@Suite("NetworkInterface", .timeLimit(.minutes(5)))
struct NetworkInterfaceTests {
    @Test("The loopback interface exists with its address")
    func loopback() throws {
        let all = try NetworkInterface.all()
        let loopback = try #require(all.first { $0.name == "lo" })
        #expect(loopback.isLoopback)
        #expect(loopback.isRunning)
        #expect(!loopback.isPointToPoint)
        #expect(loopback.addresses.contains(.v4(127, 0, 0, 1)))
        #expect(NetworkInterface.name(of: loopback.index) == "lo")
        #expect(all.map(\.index) == all.map(\.index).sorted())
    }

    @Test("An unused interface number has no name", arguments: [0, 4_000_000] as [UInt32])
    func unknown(index: UInt32) {
        #expect(NetworkInterface.name(of: index) == nil)
    }
}
