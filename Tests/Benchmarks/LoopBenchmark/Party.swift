import TestSupport

/// One end of a connection, driven by one of the candidates.
protocol Party: Sendable {
    /// Sends 64 bytes and waits for them to come back, so many times; answers what each round took in nanoseconds.
    func pingPong(rounds: Int) async throws -> [UInt64]
    /// Sends back what comes, until the other side has finished.
    func echo() async throws
    /// Sends so many chunks of 64 KiB.
    func sendChunks(_ count: Int) async throws
    /// Reads so many chunks of 64 KiB and throws them away.
    func receiveChunks(_ count: Int) async throws
    /// Answers the time on the thread where the candidate does its work.
    func timeThere() async throws -> UInt64
    /// Ends the connection.
    func end() async
}

/// A way to drive connections that is measured.
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
