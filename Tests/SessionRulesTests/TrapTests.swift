import SessionRules
import Testing
import TestSupport

/// Mistakes of the caller. Each event with a trap on the pages is tried in one state.
@Suite("Mistakes of the caller", .timeLimit(.minutes(5)))
struct TrapTests {
    @Test("A wrong event traps in the state machines of a link")
    func links() async {
        await #expect(processExitsWith: .failure) {
            var machine = LinkHandshake.sample(through: 1)
            _ = machine.connected(at: .at(2))
        }
        await #expect(processExitsWith: .failure) {
            var machine = LinkHandshake.sample()
            _ = machine.secured(by: Sample.large, at: .at(2))
        }
        await #expect(processExitsWith: .failure) {
            var machine = LinkHandshake.sample()
            _ = try machine.receivedHello()
        }
        await #expect(processExitsWith: .failure) {
            var machine = LinkHandshake.sample()
            _ = try machine.receivedOther()
        }
        await #expect(processExitsWith: .failure) {
            var generator = SeededGenerator(seed: 1)
            var machine = Reconnection.sample()
            _ = machine.attemptFailed(at: .at(1), using: &generator)
        }
        await #expect(processExitsWith: .failure) {
            var machine = Shutdown()
            _ = machine.byesSent()
        }
    }

    @Test("A wrong event traps in the state machines of a transfer")
    func transfers() async {
        await #expect(processExitsWith: .failure) {
            var machine = try TransferSending.sample(upTo: .offered)
            _ = machine.channelOpened(at: .at(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = try TransferSending.sample(upTo: .awaitingStored)
            _ = machine.allSent(at: .at(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = try TransferSending.sample(upTo: .sending)
            _ = machine.linkCameBack(at: .at(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = try TransferReceiving.sample(upTo: .asked)
            _ = machine.measured(0, at: .at(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = try TransferReceiving.sample(upTo: .receiving)
            _ = machine.finished()
        }
        await #expect(processExitsWith: .failure) {
            var machine = try TransferReceiving.sample(upTo: .receiving)
            _ = machine.linkCameBack(at: .at(1))
        }
    }

    @Test("A wrong call traps in windows and invitations")
    func others() async {
        await #expect(processExitsWith: .failure) {
            var window = SendWindow<Int>(capacity: 100)
            _ = window.send(1, byteCount: 30)
            _ = window.send(2, byteCount: 30)
        }
        await #expect(processExitsWith: .failure) {
            var window = ReceiveWindow()
            _ = window.consumeNext()
        }
        await #expect(processExitsWith: .failure) {
            var machine = IncomingInvitation.sample()
            _ = machine.begin(at: .at(1))
        }
    }
}
