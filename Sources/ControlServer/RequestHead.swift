import CMicroHTTPD

/// What a request says before its body.
public struct RequestHead: Sendable {
    /// `GET`, `POST` and the like.
    public let method: String
    /// What stands between the slashes, unescaped.
    public let path: [String]
    /// The headers by name, in lower case. The values of a header that comes twice are joined by commas, so that two `Host` headers equal no host.
    public let headers: [String: String]

    /// A head as a test writes it.
    public init(_ method: String, _ path: [String], headers: [String: String] = [:]) {
        self.method = method
        self.path = path
        self.headers = headers
    }
}

extension RequestHead {
    /// Reads the head of a request that the library has taken.
    init(of connection: OpaquePointer, _ method: String, _ path: [String]) {
        let collected = HeaderValues()
        // because the library returns before the values go
        let context = Unmanaged.passUnretained(collected).toOpaque()
        _ = MHD_get_connection_values(connection, .HEADER_KIND, { HeaderValues.take($0, $2, $3) }, context)
        // What is beyond the limit could be a second host or a foreign origin: then none is known.
        self.init(method, path, headers: collected.isCut ? [:] : collected.values)
    }
}

/// Collects the headers of one request.
private final class HeaderValues {
    /// More than any browser sends.
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
