import ControlServer

/// What a request to the page must be like, whichever browser sends it.
///
/// A page of another origin can make a browser send requests here, and a hostile name server can make its own name lead here. The
/// browser then says so in `Host`, `Origin` and `Sec-Fetch-Site`, and it asks before it sends a header of its own.
struct PageRules: Sendable {
    let port: UInt16

    /// The hosts that lead to this machine's own page, and to no name that another server can give away.
    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// The reason to refuse a request; nil if it is one of the page's own.
    func refusal(of head: RequestHead) -> ControlResponse? {
        guard let host = head.headers["host"], hosts.contains(host.lowercased()) else {
            return .refusal(421, "this is the page of one machine: open it with `huddle open`")
        }
        if let origin = head.headers["origin"], origin.lowercased() != "http://\(host.lowercased())" {
            return .refusal(403, "another page may not ask here")
        }
        if let site = head.headers["sec-fetch-site"], !Self.ownSites.contains(site) {
            return .refusal(403, "another page may not ask here")
        }
        if Self.reading.contains(head.method) || head.headers["origin"] != nil { return nil }
        return .refusal(403, "what changes something needs an Origin")
    }

    /// `none` is a user who typed the address or follows a bookmark.
    private static let ownSites = ["same-origin", "none"]
    private static let reading = ["GET", "HEAD"]

    /// Whether a request asks for more than the page's own files and a key.
    func needsKey(_ head: RequestHead) -> Bool { head.path.first == "v1" || head.path.first == "files" }

    /// The reason to refuse a request without a key: a token is all that it may say.
    func refusal(ofBody head: RequestHead) -> ControlResponse? {
        let length = head.headers["content-length"].map { Int($0) ?? .max } ?? 0
        guard length > PageSecret.digitCount || head.headers["transfer-encoding"] != nil else { return nil }
        return .refusal(413, "a browser that signs in says its token and nothing else")
    }

    /// The key that a browser has got for a token. No page of another origin can send a header of its own, and none gets the key: a cookie would go
    /// to every port of this host, also to a server of another user.
    func key(of head: RequestHead) -> PageSecret? { head.headers["x-huddle"].flatMap { PageSecret($0) } }

    /// What the browser is to hold to with all that it gets from here.
    static let headers = [
        "Content-Security-Policy": """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types 'none'
        """,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    ]
}
