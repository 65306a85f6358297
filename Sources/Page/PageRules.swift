import ControlServer
import LinuxPlatform

/// The rules for requests to the page, from any browser.
///
/// A page of another origin can make a browser send requests to this machine. A hostile name server can resolve its own
/// name to this machine. The browser then shows this in `Host`, `Origin` and `Sec-Fetch-Site`. It also sends a
/// preflight request before a request with a custom header.
struct PageRules: Sendable {
    let reach: PageReach
    let port: UInt16
    /// The name of this machine in multicast DNS, such as `deck.local`; nil if it has none.
    var name: String?

    /// Returns true if the host belongs to this machine's page, and no name server can assign it to another machine.
    ///
    /// On the network that is an address, or this machine's own name.
    private func isOwn(_ host: String) -> Bool {
        guard host.hasSuffix(":\(port)") else { return false }
        let name = String(host.dropLast("\(port)".utf8.count + 1))
        switch reach {
        case .loopback: return name == "127.0.0.1" || name == "localhost"
        case .network:
            if case .v4? = IPAddress(name), IPAddress(name)?.isPrivate == true { return true }
            return name == self.name?.lowercased()
        }
    }

    /// Refuses a request; nil if the page itself sent it.
    func refusal(of head: RequestHead) -> ControlResponse? {
        guard let host = head.headers["host"]?.lowercased(), isOwn(host) else {
            return .refusal(421, "this is the page of one machine: open it with `huddle open`")
        }
        if let origin = head.headers["origin"], origin.lowercased() != "\(reach.scheme)://\(host)" {
            return .refusal(403, "another page may not ask here")
        }
        if let site = head.headers["sec-fetch-site"], !Self.ownSites.contains(site) {
            return .refusal(403, "another page may not ask here")
        }
        if Self.reading.contains(head.method) || head.headers["origin"] != nil { return nil }
        return .refusal(403, "what changes something needs an Origin")
    }

    /// The accepted values of `Sec-Fetch-Site`. A browser sends `none` if the user typed the address or followed a
    /// bookmark.
    private static let ownSites = ["same-origin", "none"]
    private static let reading = ["GET", "HEAD"]

    /// Returns true if a request needs more than the page's own files and a key.
    func needsKey(_ head: RequestHead) -> Bool { head.path.first == "v1" || head.path.first == "files" }

    /// Refuses a request without a key if its body is longer than a token; nil otherwise.
    func refusal(ofBody head: RequestHead) -> ControlResponse? {
        let length = head.headers["content-length"].map { Int($0) ?? .max } ?? 0
        guard length > PageSecret.digitCount || head.headers["transfer-encoding"] != nil else { return nil }
        return .refusal(413, "a browser that signs in says its token and nothing else")
    }

    /// The key that a browser received for its token.
    ///
    /// It is in a custom header, which no page of another origin can send. A browser would send a cookie to each port
    /// of this host, also to a server of another user.
    func key(of head: RequestHead) -> PageSecret? { head.headers["x-huddle"].flatMap { PageSecret($0) } }

    /// Refuses a request that the browser has no right to; nil if it has.
    func refusal(of head: RequestHead, by browser: PageAccess.Browser) -> ControlResponse? {
        guard reach == .network else { return nil }
        // Otherwise a browser of another machine could give rights to itself and others.
        if head.path.starts(with: ["v1", "page"]) {
            return .refusal(403, "only `huddle open` on this machine decides about browsers")
        }
        guard browser.right == .read, !Self.reading.contains(head.method) else { return nil }
        return .refusal(403, "this browser may only look: run `huddle open --allow \(browser.number)` on this machine")
    }

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
