import ControlServer

/// The rules for requests to the page, from any browser.
///
/// A page of another origin can make a browser send requests to this machine, and a hostile name server can resolve
/// its own name to it. The browser then says so in `Host`, `Origin` and `Sec-Fetch-Site`. It also sends a preflight
/// request before one with a custom header.
struct PageRules: Sendable {
    let port: UInt16

    /// The hosts of this machine's page. No name server can assign them to another machine.
    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// The refusal of a request; nil if the page itself sent it.
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

    /// The accepted values of `Sec-Fetch-Site`: `none` is a user who typed the address or follows a bookmark.
    private static let ownSites = ["same-origin", "none"]
    private static let reading = ["GET", "HEAD"]

    /// Returns true if a request is for more than the page's own files and a key.
    func needsKey(_ head: RequestHead) -> Bool { head.path.first == "v1" || head.path.first == "files" }

    /// The refusal of a request without a key whose body is longer than a token.
    func refusal(ofBody head: RequestHead) -> ControlResponse? {
        let length = head.headers["content-length"].map { Int($0) ?? .max } ?? 0
        guard length > PageSecret.digitCount || head.headers["transfer-encoding"] != nil else { return nil }
        return .refusal(413, "a browser that signs in says its token and nothing else")
    }

    /// The key that a browser received for its token.
    ///
    /// It is a custom header, which no page of another origin can send. A browser would send a cookie to every port of
    /// this host, also to a server of another user.
    func key(of head: RequestHead) -> PageSecret? { head.headers["x-huddle"].flatMap { PageSecret($0) } }

    /// The headers that restrict what a browser does with each response.
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
