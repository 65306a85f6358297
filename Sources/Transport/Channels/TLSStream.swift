import LinuxPlatform
import Synchronization
import Vocabulary

/// A TLS connection with a lock, and with tasks that wait on it.
///
/// OpenSSL runs on the caller's thread; the loop only wakes the caller to continue.
final class TLSStream: Sendable {
    private struct State {
        var connection: TLSConnection?
        /// The reason why the stream has ended; nil before.
        var ending: ChannelError?
        /// True while one task closes the stream: all other tasks get an error.
        var isClosing = false
        var isSending = false
    }

    /// The caller of a step: a user of the channel, or the task that closes it.
    enum Asker {
        case user
        case closer
    }

    /// The number of bytes without a wait after which other tasks on the loop run.
    private static let turnCount = 256 << 10

    let socket: StreamSocket
    let loop: Mutex<EventLoop>
    private let state: Mutex<State>
    /// The counters for its bytes; nil before counting begins and after the stream has ended.
    private let traffic = Mutex<ChannelTraffic?>(nil)
    /// The number of bytes sent and received since a task last waited.
    private let sinceWait = Atomic<Int>(0)

    init(_ socket: StreamSocket, on loop: EventLoop) {
        self.socket = socket
        self.loop = Mutex(loop)
        state = Mutex(State())
    }

    // MARK: Beginning

    /// Performs the handshake.
    nonisolated(nonsending) func begin(
        _ context: TLSContext,
        expecting expected: PeerID?,
        resuming ticket: ResumptionTicket?
    ) async throws(ChannelError) {
        // A machine that connects and sends nothing costs no memory.
        if context.role == .answering { try await waitForFirstByte() }
        state.withLock { state in
            guard state.ending == nil else { return }
            state.connection = TLSConnection(context, over: socket, expecting: expected, resuming: ticket)
        }
        try await repeating(.user) { $0.shakeHands() }
    }

    private nonisolated(nonsending) func waitForFirstByte() async throws(ChannelError) {
        while true {
            let mark = socket.expect(.readable)
            if let ending = state.withLock({ $0.ending }) { throw ending }
            do throws(SystemError) {
                if try socket.hasSomethingToRead() { return }
            } catch {
                throw .lost(error)
            }
            try await wait(.readable, mark)
        }
    }

    // MARK: Bytes

    nonisolated(nonsending) func receive(into room: UnsafeMutableRawBufferPointer) async throws(ChannelError) -> Int {
        let count = try await repeating(.user) { self.read(from: $0, into: room) }
        await giveTurn()
        return count
    }

    /// Receives, and passes the bytes to `body` before anything else can run on the thread.
    nonisolated(nonsending) func receive(
        sharing room: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) async throws(ChannelError) -> Int {
        let count = try await repeating(.user) { self.read(from: $0, into: room) }
        if count > 0 { body(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        await giveTurn()
        return count
    }

    /// Reads once, and counts the bytes from the network: a thousand records of one byte are a thousand times the work
    /// of one.
    private func read(
        from connection: TLSConnection,
        into room: UnsafeMutableRawBufferPointer
    ) -> TLSConnection.Step<Int> {
        let step = connection.read(into: room)
        if case .done(let count) = step { traffic.withLock { $0?.noteReceived(count) } }
        sinceWait.add(connection.port.takeNewCount(), ordering: .relaxed)
        return step
    }

    nonisolated(nonsending) func receive(upTo limit: Int) async throws(ChannelError) -> [UInt8] {
        // Each attempt makes its own buffer: a channel that waits holds none.
        let bytes: [UInt8] = try await repeating(.user) { connection in
            var step = TLSConnection.Step<Int>.done(0)
            // because OpenSSL fills the bytes, and only as many count as it says it filled
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
                step = self.read(from: connection, into: UnsafeMutableRawBufferPointer(room))
                if case .done(let filled) = step { count = filled }
            }
            switch step {
            // A short message must not keep a long buffer alive.
            case .done(let count): return .done(count < limit / 4 ? [UInt8](bytes[...]) : bytes)
            case .blocked(let interest): return .blocked(interest)
            case .failed(let error): return .failed(error)
            }
        }
        await giveTurn()
        return bytes
    }

    /// Sends `count` bytes. `write` accepts some of them from an offset on.
    nonisolated(nonsending) func send(
        count: Int,
        _ write: (TLSConnection, _ offset: Int) -> TLSConnection.Step<Int>
    ) async throws(ChannelError) {
        beginSending()
        defer { state.withLock { $0.isSending = false } }
        var sent = 0
        while sent < count {
            let more = try await repeating(.user) { write($0, sent) }
            sent += more
            traffic.withLock { $0?.noteSent(more) }
            sinceWait.add(more, ordering: .relaxed)
            await giveTurn()
        }
        try await repeating(.user) { $0.flush() }
    }

    /// Sends the bytes that fit now. Returns the number of accepted bytes, and true if all of them are sent.
    func sendAtOnce(_ bytes: UnsafeRawBufferPointer) throws(ChannelError) -> (taken: Int, hasGone: Bool) {
        beginSending()
        defer { state.withLock { $0.isSending = false } }
        var taken = 0
        while taken < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            guard let more = try stepAtOnce({ $0.write(rest) }) else { return (taken, false) }
            taken += more
            traffic.withLock { $0?.noteSent(more) }
        }
        return (taken, try stepAtOnce { $0.flush() } != nil)
    }

    /// Takes one step; nil if the socket is not ready.
    private func stepAtOnce<Value>(
        _ step: (TLSConnection) -> TLSConnection.Step<Value>
    ) throws(ChannelError) -> Value? {
        switch turn(.user, step) {
        case .step(.done(let value)): return value
        case .step(.blocked): return nil
        case .step(.failed(let error)), .ended(let error): throw error
        }
    }

    /// Lets other tasks run: a task that never waits would block the loop.
    private nonisolated(nonsending) func giveTurn() async {
        guard sinceWait.load(ordering: .relaxed) >= Self.turnCount else { return }
        sinceWait.store(0, ordering: .relaxed)
        await currentLoop.letOthersRun()
    }

    nonisolated(nonsending) func finishSending() async throws(ChannelError) {
        beginSending()
        defer { state.withLock { $0.isSending = false } }
        try await sayGoodbye(.user)
    }

    private func beginSending() {
        state.withLock { state in
            precondition(!state.isSending, "two tasks send on one channel")
            state.isSending = true
        }
    }

    private nonisolated(nonsending) func sayGoodbye(_ asker: Asker) async throws(ChannelError) {
        try await repeating(asker) { connection in
            connection.sayGoodbye()
            return .done(())
        }
        try await repeating(asker) { $0.flush() }
    }

    // MARK: Ending

    /// Closes cleanly: sends the end, waits for the other side's, and ends at the latest after `limit`.
    nonisolated(nonsending) func close(within limit: Duration) async {
        let mustBeCut = state.withLock { state in
            // A clean end in the middle of another task's bytes would claim that they are complete.
            guard state.ending == nil, !state.isClosing, !state.isSending else { return true }
            state.isClosing = true
            return false
        }
        guard !mustBeCut else { return end(.closed) }
        socket.wakeAll()
        let timer = currentLoop.schedule(after: limit) { @Sendable in self.end(.closed) }
        defer { timer.cancel() }
        // The stream ends even if this fails.
        try? await sayGoodbyeAndDrain()
        end(.closed)
    }

    /// Sends the end and reads up to the other side's. If a socket is closed with unread bytes, the kernel resets the
    /// connection, and the other side loses the bytes that were sent last.
    private nonisolated(nonsending) func sayGoodbyeAndDrain() async throws {
        try await sayGoodbye(.closer)
        try socket.finishSending()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { room.deallocate() }
        while try await repeating(.closer, { $0.read(into: room) }) > 0 { await currentLoop.letOthersRun() }
    }

    /// Cuts the stream at once. Waiting tasks throw `error`, unless the stream has ended before with another one.
    func end(_ error: ChannelError) {
        let connection: TLSConnection? = state.withLock { state in
            if state.ending == nil { state.ending = error }
            return state.connection.take()
        }
        traffic.withLock { $0.take() }?.noteEnded()
        socket.cut()
        withExtendedLifetime(connection) {}
    }

    /// Counts bytes from now on, unless the stream has ended.
    func count(in traffic: ChannelTraffic) {
        state.withLock { state in
            guard state.ending == nil else { return }
            self.traffic.withLock { place in
                place?.noteEnded()
                place = traffic
                traffic.noteOpened()
            }
        }
    }

    /// Moves the waking to another loop.
    func move(to newLoop: EventLoop) {
        socket.move(to: newLoop)
        loop.withLock { $0 = newLoop }
    }

    var currentLoop: EventLoop { loop.withLock { $0 } }

    /// Looks up a value of the connection; nil once it has ended.
    func asking<Value: Sendable>(_ question: (TLSConnection) -> Value) -> Value? {
        state.withLock { state in state.connection.map { question($0) } }
    }

    // MARK: Waiting

    private enum Turn<Value: Sendable>: Sendable {
        case step(TLSConnection.Step<Value>)
        case ended(ChannelError)
    }

    /// Repeats a step until it is done or has failed, and waits for the socket in between.
    private nonisolated(nonsending) func repeating<Value: Sendable>(
        _ asker: Asker,
        _ step: (TLSConnection) -> TLSConnection.Step<Value>
    ) async throws(ChannelError) -> Value {
        while true {
            let readable = socket.expect(.readable)
            let writable = socket.expect(.writable)
            switch turn(asker, step) {
            case .step(.done(let value)): return value
            case .step(.failed(let error)), .ended(let error): throw error
            case .step(.blocked(.readable)): try await wait(.readable, readable)
            case .step(.blocked(.writable)): try await wait(.writable, writable)
            }
        }
    }

    private func turn<Value>(_ asker: Asker, _ step: (TLSConnection) -> TLSConnection.Step<Value>) -> Turn<Value> {
        state.withLock { state in
            if let ending = state.ending { return .ended(ending) }
            if state.isClosing, asker == .user { return .ended(.closed) }
            guard let connection = state.connection else { return .ended(.closed) }
            return .step(step(connection))
        }
    }

    private nonisolated(nonsending) func wait(
        _ interest: EventLoop.Interest,
        _ mark: StreamSocket.Mark
    ) async throws(ChannelError) {
        sinceWait.store(0, ordering: .relaxed)
        do {
            try await socket.wait(for: interest, since: mark)
        } catch {
            throw .cancelled
        }
    }
}
