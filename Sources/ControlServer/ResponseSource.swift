/// Where the library asks for the next bytes of an answer that goes on.
final class StreamPlace: Sendable {
    private weak let server: ControlServer?
    private let exchange: UInt

    /// What the library takes for “no more”.
    private static let end = -1
    /// What makes it close the connection, so that nobody takes what came for all there is.
    private static let broken = -2

    init(server: ControlServer, exchange: UInt) {
        self.server = server
        self.exchange = exchange
    }

    func fill(_ room: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let server else { return Self.broken }
        // because the library calls from the server's own thread and lends the room until this returns
        nonisolated(unsafe) let lent = UnsafeMutableRawBufferPointer(start: room, count: count)
        let id = exchange
        return switch server.assumeIsolated({ $0.fill(lent, id) }) {
        case .bytes(let count): count
        case .end: Self.end
        case .broken: Self.broken
        }
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> StreamPlace {
        guard let context else { preconditionFailure("the library hands back what it was given") }
        // because the library holds it until it releases it
        return Unmanaged<StreamPlace>.fromOpaque(context).takeUnretainedValue()
    }

    static func release(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        // because it was retained when it was handed over
        Unmanaged<StreamPlace>.fromOpaque(context).release()
    }
}
