import CMicroHTTPD

extension ControlRequest {
    /// The library has unescaped the path, so a slash that was escaped parts it too: no name that is asked for may have one.
    init(_ exchange: Exchange) {
        let collected = QueryValues()
        // because the library returns before the values go
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

/// Gathers what follows the question mark.
private final class QueryValues {
    /// More than any request has.
    private static let limit = 32

    var values: [String: String] = [:]

    static func take(
        _ context: UnsafeMutableRawPointer?,
        _ key: UnsafePointer<CChar>?,
        _ value: UnsafePointer<CChar>?
    ) -> MHD_Result {
        guard let context, let key else { return .NO }
        // because the one who asks holds it while the library calls
        let gathered = Unmanaged<QueryValues>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: key)
        guard gathered.values.count < limit else { return .NO }
        if gathered.values[name] == nil { gathered.values[name] = value.map { String(cString: $0) } ?? "" }
        return .YES
    }
}
