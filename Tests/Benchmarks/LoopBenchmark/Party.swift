import TestSupport

/// One end of a connection, driven by one of the candidates.
protocol Party: Sendable {
    /// Sends 64 bytes and waits for their echo, a number of times. Returns the nanoseconds of each round.
    func pingPong(rounds: Int) async throws -> [UInt64]
    /// Echoes all bytes until the other side has finished.
    func echo() async throws
    /// Sends a number of chunks of 64 KiB.
    func sendChunks(_ count: Int) async throws
    /// Reads a number of chunks of 64 KiB and discards them.
    func receiveChunks(_ count: Int) async throws
    /// Returns the time on the thread on which the candidate works.
    func timeThere() async throws -> UInt64
    /// Ends the connection.
    func end() async
}

/// A measured way to drive connections.
struct Candidate: Sendable {
    let name: String
    let makeParty: @Sendable (BlockingSocket) throws -> any Party

    static let all = [
        Candidate(name: "blocking threads", makeParty: { BlockingParty($0) }),
        Candidate(name: "event loop", makeParty: { try LoopParty($0) }),
        Candidate(name: "Dispatch", makeParty: { try DispatchParty($0) }),
    ]

    /// A connection over loopback with this candidate at one end.
    func connected() throws -> (near: any Party, far: BlockingSocket) {
        let (listener, port) = try BlockingSocket.boundToLoopback(backlog: 8)
        let near = try BlockingSocket.connected(toLoopbackPort: port)
        let far = try listener.accept()
        try near.sendSmallMessagesAtOnce()
        try far.sendSmallMessagesAtOnce()
        return (try makeParty(near), far)
    }
}

let messageSize = 64
let chunkSize = 64 << 10
let message = [UInt8](repeating: 0x5A, count: messageSize)
let chunk = [UInt8](repeating: 0xA5, count: chunkSize)
