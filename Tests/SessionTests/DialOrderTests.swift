import LinuxPlatform
import Testing

@testable import Session

@Suite("The order of addresses to dial", .timeLimit(.minutes(5)))
struct DialOrderTests {
    private func address(_ last: UInt8) -> SocketAddress { SocketAddress(.v4(10, 0, 0, last), port: 4242) }

    @Test("however many addresses a liar offers, those of the other sources are among the first, and few are tried")
    func liar() {
        let lies = (100..<200 as Range<UInt8>).map { address($0) }
        let order = DialOrder.of([[address(1)], lies, [address(2), address(3)], [address(4)]])
        #expect(order.count == DialOrder.most)
        #expect(Array(order.prefix(5)) == [address(1), lies[0], address(2), address(4), lies[1]])
        #expect(order.contains(address(3)))
    }

    @Test("each of many addresses that claim to be one peer gets a turn before any gets a second one")
    func claims() {
        let lies = (0..<3).map { claim in (0..<50).map { address(UInt8(100 + claim * 50 + $0)) } }
        let seen = DialOrder.interleaved(lies + [[address(1)]])
        #expect(seen.firstIndex(of: address(1)) == 3)
    }

    @Test("each address is tried once")
    func once() {
        #expect(DialOrder.of([[address(1), address(1)], [address(1), address(2)]]) == [address(1), address(2)])
        #expect(DialOrder.of([[], []]).isEmpty)
    }
}
