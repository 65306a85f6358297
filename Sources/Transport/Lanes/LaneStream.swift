import LinuxPlatform
import Synchronization
import Vocabulary

/// A TLS connection that tasks can wait on: its lock, and the waiting.
///
/// OpenSSL's work is done by whoever asks for it, on the thread it runs on; the loop only tells when to go on.
final class LaneStream: Sendable {
    private struct State {
        var connection: TLSConnection?
        /// Why nothing goes any more.
        var ending: LaneError?
        /// Why tasks other than the one that closes are turned away.
        var isClosing = false
        var isSending = false
    }

    /// Who asks for a step: one of the lane's users, or the task that closes it.
    enum Asker {
        case user
        case closer
    }

    /// After so many bytes without a wait, others on the loop get their turn.
    private static let turnCount = 256 << 10

    let socket: StreamSocket
    let loop: Mutex<EventLoop>
    private let state: Mutex<State>
    /// Where its bytes are counted; nil also once it has ended.
    private let traffic = Mutex<LaneTraffic?>(nil)
    /// How many bytes have gone either way since a task last waited.
    private let sinceWait = Atomic<Int>(0)

    init(_ socket: StreamSocket, on loop: EventLoop) {
        self.socket = socket
        self.loop = Mutex(loop)
        state = Mutex(State())
    }

    // MARK: Beginning

    /// Makes the handshake.
    nonisolated(nonsending) func begin(
        _ context: LaneContext,
        expecting expected: PeerID?,
        resuming ticket: LaneTicket?
    ) async throws(LaneError) {
        // Nothing is kept for those who say nothing.
        if context.role == .answering { try await waitForFirstByte() }
        state.withLock { state in
            guard state.ending == nil else { return }
            state.connection = TLSConnection(context, over: socket, expecting: expected, resuming: ticket)
        }
        try await repeating(.user) { $0.shakeHands() }
    }

    private nonisolated(nonsending) func waitForFirstByte() async throws(LaneError) {
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

    nonisolated(nonsending) func receive(into room: UnsafeMutableRawBufferPointer) async throws(LaneError) -> Int {
        let count = try await repeating(.user) { self.read(from: $0, into: room) }
        await giveTurn()
        return count
    }

    /// The same, and hands out what came before anything else can run on the thread.
    nonisolated(nonsending) func receive(
        sharing room: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) async throws(LaneError) -> Int {
        let count = try await repeating(.user) { self.read(from: $0, into: room) }
        if count > 0 { body(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        await giveTurn()
        return count
    }

    /// What counts is what the network brought: a thousand records of one byte are a thousand times the work of one record.
    private func read(
        from connection: TLSConnection,
        into room: UnsafeMutableRawBufferPointer
    ) -> TLSConnection.Step<Int> {
        let step = connection.read(into: room)
        if case .done(let count) = step { traffic.withLock { $0?.noteReceived(count) } }
        sinceWait.add(connection.port.takeNewCount(), ordering: .relaxed)
        return step
    }

    nonisolated(nonsending) func receive(upTo limit: Int) async throws(LaneError) -> [UInt8] {
        // The room is made for each attempt: a lane that waits holds none.
        let bytes: [UInt8] = try await repeating(.user) { connection in
            var step = TLSConnection.Step<Int>.done(0)
            // because OpenSSL fills the bytes, and only as many count as it says it filled
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
                step = self.read(from: connection, into: UnsafeMutableRawBufferPointer(room))
                if case .done(let filled) = step { count = filled }
            }
            switch step {
            // A short message must not keep a long room alive.
            case .done(let count): return .done(count < limit / 4 ? [UInt8](bytes[...]) : bytes)
            case .blocked(let interest): return .blocked(interest)
            case .failed(let error): return .failed(error)
            }
        }
        await giveTurn()
        return bytes
    }

    /// Sends so many bytes, of which `write` takes some at an offset.
    nonisolated(nonsending) func send(
        count: Int,
        _ write: (TLSConnection, _ offset: Int) -> TLSConnection.Step<Int>
    ) async throws(LaneError) {
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

    /// Sends what there is room for now. Answers how much has been taken, and whether all of that has gone.
    func sendAtOnce(_ bytes: UnsafeRawBufferPointer) throws(LaneError) -> (taken: Int, hasGone: Bool) {
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

    /// Nil where the socket is not ready.
    private func stepAtOnce<Value>(
        _ step: (TLSConnection) -> TLSConnection.Step<Value>
    ) throws(LaneError) -> Value? {
        switch turn(.user, step) {
        case .step(.done(let value)): return value
        case .step(.blocked): return nil
        case .step(.failed(let error)), .ended(let error): throw error
        }
    }

    /// A task that never has to wait would keep the loop for itself.
    private nonisolated(nonsending) func giveTurn() async {
        guard sinceWait.load(ordering: .relaxed) >= Self.turnCount else { return }
        sinceWait.store(0, ordering: .relaxed)
        await currentLoop.letOthersRun()
    }

    nonisolated(nonsending) func finishSending() async throws(LaneError) {
        beginSending()
        defer { state.withLock { $0.isSending = false } }
        try await sayGoodbye(.user)
    }

    private func beginSending() {
        state.withLock { state in
            precondition(!state.isSending, "two tasks send on one lane")
            state.isSending = true
        }
    }

    private nonisolated(nonsending) func sayGoodbye(_ asker: Asker) async throws(LaneError) {
        try await repeating(asker) { connection in
            connection.sayGoodbye()
            return .done(())
        }
        try await repeating(asker) { $0.flush() }
    }

    // MARK: Ending

    /// Says goodbye, waits until the other side has said it too, and ends; or ends anyway when `limit` has passed.
    nonisolated(nonsending) func close(within limit: Duration) async {
        let mustBeCut = state.withLock { state in
            // A goodbye in the middle of what is being sent would say that it was all.
            guard state.ending == nil, !state.isClosing, !state.isSending else { return true }
            state.isClosing = true
            return false
        }
        guard !mustBeCut else { return end(.closed) }
        socket.wakeAll()
        let timer = currentLoop.schedule(after: limit) { @Sendable in self.end(.closed) }
        defer { timer.cancel() }
        // However it fails, it ends.
        try? await sayGoodbyeAndDrain()
        end(.closed)
    }

    /// Reads to the end, because the kernel cuts a connection off that is closed with bytes unread, and takes what was sent
    /// last along.
    private nonisolated(nonsending) func sayGoodbyeAndDrain() async throws {
        try await sayGoodbye(.closer)
        try socket.finishSending()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { room.deallocate() }
        while try await repeating(.closer, { $0.read(into: room) }) > 0 { await currentLoop.letOthersRun() }
    }

    /// Ends at once, as a cut cable would. Whoever waits is told `error`; what ended already stays ended as it was.
    func end(_ error: LaneError) {
        let connection: TLSConnection? = state.withLock { state in
            if state.ending == nil { state.ending = error }
            return state.connection.take()
        }
        traffic.withLock { $0.take() }?.noteEnded()
        socket.cut()
        withExtendedLifetime(connection) {}
    }

    /// Counts what goes from now on; one that has ended counts nothing.
    func count(in traffic: LaneTraffic) {
        state.withLock { state in
            guard state.ending == nil else { return }
            self.traffic.withLock { place in
                place?.noteEnded()
                place = traffic
                traffic.noteOpened()
            }
        }
    }

    /// Lets another loop tell when to go on.
    func move(to newLoop: EventLoop) {
        socket.move(to: newLoop)
        loop.withLock { $0 = newLoop }
    }

    var currentLoop: EventLoop { loop.withLock { $0 } }

    /// Looks something up; nil once it has ended.
    func asking<Value: Sendable>(_ question: (TLSConnection) -> Value) -> Value? {
        state.withLock { state in state.connection.map { question($0) } }
    }

    // MARK: Waiting

    private enum Turn<Value: Sendable>: Sendable {
        case step(TLSConnection.Step<Value>)
        case ended(LaneError)
    }

    /// Takes a step again and again until it is done or has failed.
    private nonisolated(nonsending) func repeating<Value: Sendable>(
        _ asker: Asker,
        _ step: (TLSConnection) -> TLSConnection.Step<Value>
    ) async throws(LaneError) -> Value {
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
    ) async throws(LaneError) {
        sinceWait.store(0, ordering: .relaxed)
        do {
            try await socket.wait(for: interest, since: mark)
        } catch {
            throw .cancelled
        }
    }
}
