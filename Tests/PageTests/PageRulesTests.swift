import ControlServer
import Testing

@testable import Page

@Suite("Requests to the page")
struct PageRulesTests {
    private let rules = PageRules(port: 4242)
    private let own = [
        "host": "127.0.0.1:4242", "origin": "http://127.0.0.1:4242", "x-huddle": "1", "sec-fetch-site": "same-origin",
    ]

    private func status(_ method: String, _ changes: [String: String?] = [:]) -> Int? {
        var headers = own
        for (name, value) in changes { headers[name] = value }
        return rules.refusal(of: RequestHead(method, ["v1", "status"], headers: headers))?.status
    }

    @Test("the page's own requests are answered", arguments: ["GET", "HEAD", "POST", "PUT", "DELETE"])
    func own(method: String) {
        #expect(status(method) == nil)
        #expect(status(method, ["host": "localhost:4242", "origin": "http://localhost:4242"]) == nil)
    }

    @Test("a typed address has no origin, and is answered")
    func typed() { #expect(status("GET", ["origin": nil, "x-huddle": nil, "sec-fetch-site": "none"]) == nil) }

    @Test(
        "another name than this machine's is refused, whoever makes it lead here",
        arguments: [
            nil, "", "127.0.0.1", "127.0.0.1:1", "evil.example", "evil.example:4242", "[::1]:4242", "0.0.0.0:4242",
            "127.0.0.1:4242, evil.example", "127.0.0.1:4242.evil.example", "localhost.:4242",
        ]
    )
    func hosts(host: String?) {
        #expect(status("GET", ["host": host]) == 421)
        #expect(status("POST", ["host": host]) == 421)
    }

    @Test(
        "a page of another origin is refused",
        arguments: [
            "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:4243", "https://127.0.0.1:4242",
            "http://localhost:4242", "file://",
        ]
    )
    func origins(origin: String) {
        #expect(status("GET", ["origin": origin]) == 403)
        #expect(status("POST", ["origin": origin]) == 403)
    }

    @Test(
        "what the browser says comes from another site is refused",
        arguments: ["cross-site", "same-site", "", "same-origin, x"]
    )
    func sites(site: String) { #expect(status("GET", ["sec-fetch-site": site]) == 403) }

    @Test(
        "what changes something needs the page's own header and an origin",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
    )
    func changing(method: String) {
        #expect(status(method, ["x-huddle": nil]) == 403)
        #expect(status(method, ["x-huddle": "0"]) == 403)
        #expect(status(method, ["origin": nil]) == 403)
    }

    @Test("the secret is found among other cookies, and a cookie of another port is no secret")
    func cookies() {
        let secret = PageSecret.random()
        func found(_ cookie: String) -> PageSecret? {
            rules.secret(of: RequestHead("GET", [], headers: ["cookie": cookie]))
        }
        #expect(found("huddle-4242=\(secret.text)") == secret)
        #expect(found("a=b; huddle-4242=\(secret.text); c") == secret)
        #expect(found("huddle-4243=\(secret.text)") == nil)
        #expect(found("xhuddle-4242=\(secret.text)") == nil)
        #expect(found("huddle-4242=\(secret.text)x") == nil)
        #expect(found("huddle-4242") == nil)
        #expect(found(String(repeating: ";", count: 10_000)) == nil)
        #expect(rules.secret(of: RequestHead("GET", [])) == nil)
    }

    @Test("the cookie is read by no script, and sent for no page of another site")
    func cookieRights() {
        let parts = rules.cookie(.random()).split(separator: "; ").dropFirst().map(String.init)
        #expect(parts == ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=43200"])
    }

    @Test("the content policy names every way to run a script, and allows the page's own files alone")
    func policy() throws {
        let policy = try #require(PageRules.headers["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(!policy.contains("unsafe"))
        #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types 'none'"))
    }

    @Test("all files together have less than 100 kB, and none asks for anything elsewhere")
    func files() {
        #expect(PageFile.all.values.reduce(0) { $0 + $1.bytes.count } < 100_000)
        for (name, file) in PageFile.all {
            let text = String(decoding: file.bytes, as: UTF8.self).replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("//cdn"), "\(name)")
            #expect(
                !text.contains("innerHTML") && !text.contains("insertAdjacentHTML") && !text.contains("document.write"),
                "\(name)"
            )
            #expect(!text.contains("eval(") && !text.contains("new Function"), "\(name)")
        }
    }
}
