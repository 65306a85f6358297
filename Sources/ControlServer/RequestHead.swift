import CMicroHTTPD

/// The head of a request.
public struct RequestHead: Sendable {
    /// The method, such as `GET` or `POST`.
    public let method: String
    /// The parts of the path, unescaped.
    public let path: [String]
    /// The headers by their lower-case names. The values of a repeated header are joined by commas, so that two `Host`
    /// headers match no host.
    public let headers: [String: String]

    /// Creates a head for tests.
    public init(_ method: String, _ path: [String], headers: [String: String] = [:]) {
        self.method = method
        self.path = path
        self.headers = headers
    }
}

extension RequestHead {
    /// Creates the head of a request from the library.
    init(of connection: OpaquePointer, _ method: String, _ path: [String]) {
        let collected = HeaderValues()
        // because the library returns before the values are released
        let context = Unmanaged.passUnretained(collected).toOpaque()
        _ = MHD_get_connection_values(connection, .HEADER_KIND, { HeaderValues.take($0, $2, $3) }, context)
        // A header beyond the limit could be a second host or a foreign origin. So none of the headers counts then.
        self.init(method, path, headers: collected.isCut ? [:] : collected.values)
    }
}

/// Collects the headers of one request.
private final class HeaderValues {
    /// The maximum number of headers, which is more than any browser sends.
    private static let limit = 64

    private(set) var values: [String: String] = [:]
    private(set) var isCut = false

    static func take(
        _ context: UnsafeMutableRawPointer?,
        _ key: UnsafePointer<CChar>?,
        _ value: UnsafePointer<CChar>?
    ) -> MHD_Result {
        guard let context, let key else { return .NO }
        // because the caller holds it while the library calls
        let collected = Unmanaged<HeaderValues>.fromOpaque(context).takeUnretainedValue()
        guard collected.values.count < limit else {
            collected.isCut = true
            return .NO
        }
        let name = String(cString: key).lowercased()
        let text = value.map { String(cString: $0) } ?? ""
        collected.values[name] = collected.values[name].map { "\($0), \(text)" } ?? text
        return .YES
    }
}
