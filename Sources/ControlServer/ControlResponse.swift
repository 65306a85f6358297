/// What is answered to a ``ControlRequest``.
public struct ControlResponse: Sendable {
    /// Gives the next bytes of an answer that goes on; nil at its end. It is cancelled when the caller has gone, and asked again only when
    /// what it gave has been taken. Where it throws, the answer breaks off in a way that the caller can tell from its end.
    public typealias Source = @Sendable () async throws -> [UInt8]?

    /// What follows the head.
    public enum Body: Sendable {
        /// All of it.
        case bytes([UInt8])
        /// As it comes, for as long as it comes.
        case stream(Source)
    }

    /// The number that HTTP has for how it went, 200 to 599.
    public var status: Int
    /// What the body is, such as `application/json`.
    public var type: String
    /// The answer itself.
    public var body: Body

    /// Further headers, by name.
    public var headers: [String: String] = [:]
    /// For a refusal that does not hold for long: after how many seconds it is worth to ask again.
    public var retryAfter: Int?
    /// For a refusal of the method: those that can be used there.
    public var allowed: [String] = []

    /// An answer as it goes to the caller.
    public init(status: Int = 200, type: String = "application/json", _ body: Body) {
        precondition((200...599).contains(status), "\(status) is no answer")
        self.status = status
        self.type = type
        self.body = body
    }
}
