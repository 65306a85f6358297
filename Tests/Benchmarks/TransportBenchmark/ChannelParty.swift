import LinuxPlatform
import TestSupport
import Transport
import Yardstick

/// Two event loops with a secure channel between them.
struct ChannelParty {
    let identity: Identity
    let near = EventLoop(named: "near")
    let far = EventLoop(named: "far")

    func connected() async throws -> (SecureChannel, SecureChannel) {
        let listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: far)
        let (identity, near, far) = (identity, near, far)
        async let answered = SecureChannel.accept(listener.accept(), as: identity, within: .seconds(5), on: far)
        let dialler = try await SecureChannel.dial(
            to: listener.address,
            as: identity,
            expecting: nil,
            within: .seconds(5),
            on: near
        )
        return (dialler, try await answered)
    }

    func transfer(_ total: Int, pieces: Int) async throws -> Duration {
        let (dialler, answerer) = try await connected()
        let start = ContinuousClock.now
        let sender = Task(executorPreference: near.taskExecutor) {
            let room = Room(pieces)
            for _ in 0..<total / pieces { try await dialler.send(UnsafeRawBufferPointer(room.bytes)) }
        }
        let receiver = Task(executorPreference: far.taskExecutor) {
            let room = Room(pieces)
            var received = 0
            while received < total { received += try await answerer.receive(into: room.bytes) }
        }
        try await receiver.value
        let taken = ContinuousClock.now - start
        try await sender.value
        return taken
    }

    func roundTrips(_ count: Int) async throws -> [Double] {
        let (dialler, answerer) = try await connected()
        let echo = Task(executorPreference: far.taskExecutor) {
            let room = Room(64)
            for _ in 0..<count {
                let count = try await answerer.receive(into: room.bytes)
                precondition(count == 64)
                try await answerer.send(UnsafeRawBufferPointer(room.bytes))
            }
        }
        let ping = Task(executorPreference: near.taskExecutor) {
            let room = Room(64)
            var times: [Double] = []
            for _ in 0..<count {
                let start = ContinuousClock.now
                try await dialler.send(UnsafeRawBufferPointer(room.bytes))
                let count = try await dialler.receive(into: room.bytes)
                precondition(count == 64)
                times.append(seconds(ContinuousClock.now - start) * 1e6)
            }
            return times
        }
        try await echo.value
        return try await ping.value
    }

    func handshakes(_ count: Int, resumed: Bool) async throws -> Duration {
        let listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: far)
        let (identity, near, far) = (identity, near, far)
        let answering = Task(executorPreference: far.taskExecutor) {
            for _ in 0...count {
                let channel = try await SecureChannel.accept(
                    listener.accept(),
                    as: identity,
                    within: .seconds(5),
                    on: far
                )
                try await channel.send([1])
            }
        }
        let dialling = Task(executorPreference: near.taskExecutor) {
            let ticket = try await dial(listener.address, nil)
            let start = ContinuousClock.now
            for _ in 0..<count { _ = try await dial(listener.address, resumed ? ticket : nil) }
            return ContinuousClock.now - start

            func dial(_ address: SocketAddress, _ ticket: ResumptionTicket?) async throws -> ResumptionTicket? {
                let channel = try await SecureChannel.dial(
                    to: address,
                    as: identity,
                    expecting: ticket?.peerID,
                    resuming: ticket,
                    within: .seconds(5),
                    on: near
                )
                let byte = try await channel.receive(upTo: 1)
                precondition(byte == [1] && channel.isResumed == (ticket != nil))
                return channel.ticket
            }
        }
        try await answering.value
        return try await dialling.value
    }
}
