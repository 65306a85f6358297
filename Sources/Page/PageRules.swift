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
        if Self.reading.contains(head.method) { return nil }
        guard head.headers["x-huddle"] == "1" else {
            return .refusal(403, "what changes something needs the header X-Huddle: 1")
        }
        guard head.headers["origin"] != nil else { return .refusal(403, "what changes something needs an Origin") }
        return nil
    }

    /// `none` is a user who typed the address or follows a bookmark.
    private static let ownSites = ["same-origin", "none"]
    private static let reading = ["GET", "HEAD"]

    /// The name of the cookie. Browsers send one to all ports of a host, and two machines may run on one.
    var cookieName: String { "huddle-\(port)" }

    /// The secret in the cookie of a request.
    func secret(of head: RequestHead) -> PageSecret? {
        for part in (head.headers["cookie"] ?? "").split(separator: ";") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, pair[0] == cookieName { return PageSecret(String(pair[1])) }
        }
        return nil
    }

    /// A cookie that no script reads, and that no page of another site makes the browser send.
    func cookie(_ secret: PageSecret) -> String {
        "\(cookieName)=\(secret.text); Path=/; HttpOnly; SameSite=Strict; Max-Age=43200"
    }

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
