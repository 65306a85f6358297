/// The source from which the library gets the next bytes of a streamed response.
final class ResponseSource: Sendable {
    private weak let server: ControlServer?
    private let exchange: UInt

    /// Tells the library to end the response.
    private static let end = -1
    /// Tells the library to abort the connection, so that the caller does not take a partial response for a complete
    /// one.
    private static let broken = -2

    init(server: ControlServer, exchange: UInt) {
        self.server = server
        self.exchange = exchange
    }

    func fill(_ room: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let server else { return Self.broken }
        // because the library calls on the server's own thread and lends the memory until this returns
        nonisolated(unsafe) let lent = UnsafeMutableRawBufferPointer(start: room, count: count)
        let id = exchange
        return switch server.assumeIsolated({ $0.fill(lent, id) }) {
        case .bytes(let count): count
        case .end: Self.end
        case .broken: Self.broken
        }
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> ResponseSource {
        guard let context else { preconditionFailure("the library returns the context") }
        // because the library holds it until it releases it
        return Unmanaged<ResponseSource>.fromOpaque(context).takeUnretainedValue()
    }

    static func release(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        // because it was retained for the library
        Unmanaged<ResponseSource>.fromOpaque(context).release()
    }
}
