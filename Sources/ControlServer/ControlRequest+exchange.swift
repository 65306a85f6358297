import CMicroHTTPD

extension ControlRequest {
    /// Creates a request from an exchange. The library has unescaped the path, so an escaped slash separates parts,
    /// too. So no name in a request may contain a slash.
    init(_ exchange: Exchange) {
        let collected = QueryValues()
        // because the library returns before the values are released
        let context = Unmanaged.passUnretained(collected).toOpaque()
        _ = MHD_get_connection_values(
            exchange.connection,
            .GET_ARGUMENT_KIND,
            { QueryValues.take($0, $2, $3) },
            context
        )
        self.init(
            exchange.method,
            exchange.path,
            query: collected.values,
            body: exchange.body,
            headers: exchange.head.headers
        )
    }
}

/// Collects the query.
private final class QueryValues {
    /// The maximum number of query items, which is more than any request has.
    private static let limit = 32

    var values: [String: String] = [:]

    static func take(
        _ context: UnsafeMutableRawPointer?,
        _ key: UnsafePointer<CChar>?,
        _ value: UnsafePointer<CChar>?
    ) -> MHD_Result {
        guard let context, let key else { return .NO }
        // because the caller holds it while the library calls
        let gathered = Unmanaged<QueryValues>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: key)
        guard gathered.values.count < limit else { return .NO }
        if gathered.values[name] == nil { gathered.values[name] = value.map { String(cString: $0) } ?? "" }
        return .YES
    }
}
