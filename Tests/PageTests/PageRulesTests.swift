import ControlServer
import Testing
import Workbench

@testable import Page

@Suite("Requests to the page")
struct PageRulesTests {
    private let rules = PageRules(reach: .loopback, port: 4242)
    private let own = [
        "host": "127.0.0.1:4242", "origin": "http://127.0.0.1:4242", "sec-fetch-site": "same-origin",
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
    func typed() { #expect(status("GET", ["origin": nil, "sec-fetch-site": "none"]) == nil) }

    @Test(
        "another name than this machine's is refused, though it leads here",
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
        "a request that the browser says comes from another site is refused",
        arguments: ["cross-site", "same-site", "", "same-origin, x"]
    )
    func sites(site: String) { #expect(status("GET", ["sec-fetch-site": site]) == 403) }

    @Test(
        "a request that changes something needs an origin",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
    )
    func changing(method: String) {
        #expect(status(method, ["origin": nil]) == 403)
    }

    @Test("The key is a header of 64 digits, and everything except the page's own files needs it")
    func keys() {
        let secret = PageSecret.random()
        func key(_ header: String?) -> PageSecret? {
            rules.key(of: RequestHead("GET", [], headers: header.map { ["x-huddle": $0] } ?? [:]))
        }
        #expect(key(secret.text) == secret)
        #expect(key("\(secret.text), \(secret.text)") == nil)
        #expect(key("1") == nil && key(nil) == nil)
        for path in [["v1", "status"], ["files", "Deck", "a"]] { #expect(rules.needsKey(RequestHead("GET", path))) }
        for path in [[], ["app.js"], ["session"]] { #expect(!rules.needsKey(RequestHead("GET", path))) }
    }

    @Test("a request without a key says a token and nothing longer")
    func tokens() {
        func refusal(_ headers: [String: String]) -> Int? {
            rules.refusal(ofBody: RequestHead("POST", ["session"], headers: headers))?.status
        }
        for short in ["64", "0"] { #expect(refusal(["content-length": short]) == nil) }
        #expect(refusal([:]) == nil)
        for longer in ["65", "8000000", "x", "-"] { #expect(refusal(["content-length": longer]) == 413) }
        #expect(refusal(["transfer-encoding": "chunked"]) == 413)
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
        for other in ["text.en.js", "text.de.js"] {
            // A browser loads one language.
            let loaded = PageFile.all.filter { $0.key != other }
            #expect(loaded.values.reduce(0) { $0 + $1.bytes.count } < 100_000)
        }
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

    @Test("a script loses its comments and its indentation, and each line keeps its number")
    func stripping() {
        let source = "// one\nconst a = 'http://x' // two\n\n/**\n * three\n */\n  const b = 1\n"
        let stripped = PageFile.stripped(Array(source.utf8))
        #expect(String(decoding: stripped, as: UTF8.self) == "\nconst a = 'http://x' // two\n\n\n\n\nconst b = 1\n")
    }

    @Test(
        "a script loses the spaces that separate nothing, and its texts, templates and patterns stay",
        arguments: [
            ("const a = b => b + 1", "const a=b=>b+1"), ("if (a) return { b: 'c, d' }", "if(a)return{b:'c, d'}"),
            ("x = `a = ${ b ? `c - ${ { d : 1 } }` : 2 } e , f`", "x=`a = ${b?`c - ${{d:1}}`:2} e , f`"),
            ("return /a - [/] b/ . test(c)", "return/a - [/] b/.test(c)"), ("a / b / c", "a/b/c"),
            ("a + +b - -c", "a+ +b- -c"), ("'it\\'s , so' , 1", "'it\\'s , so',1"), ("a in b\nlet c", "a in b\nlet c"),
        ]
    )
    func compactScripts(source: String, short: String) {
        #expect(String(decoding: CompactScript(Array(source.utf8)).bytes, as: UTF8.self) == short)
    }

    @Test("each language has a text for each word of the log", arguments: ["text.en.js", "text.de.js"])
    func wordsOfTheLog(name: String) throws {
        let docs = try Repository.text(of: "docs/json-output.md")
        let row = try #require(docs.split(separator: "\n").first { $0.hasPrefix("| `asked`, `asked-unpinned`") })
        let words = row.split(separator: "|")[0].matches(of: /`([a-z-]+)`/).map { $0.output.1 }
        let texts = String(decoding: try #require(PageFile.all[name]).bytes, as: UTF8.self)
        #expect(words.count > 50)
        #expect(words.filter { !texts.contains("'log.\($0)':") } == [])
    }

    @Test("the documentation lists each word that the daemon writes into the log")
    func listedWordsOfTheLog() throws {
        let docs = try Repository.text(of: "docs/json-output.md")
        let row = try #require(docs.split(separator: "\n").first { $0.hasPrefix("| `asked`, `asked-unpinned`") })
        var written: Set<String> = []
        for path in Repository.files(below: "Sources", withSuffix: ".swift") {
            for found in try Repository.text(of: path).matches(of: /audit\(\s*"([a-z-]+)"/) {
                written.insert(String(found.output.1))
            }
        }
        #expect(written.count > 5)
        #expect(written.filter { !row.contains("`\($0)`") } == [])
    }

    @Test("a style sheet loses the spaces that separate nothing")
    func compacting() {
        let source = "a > *, b:not(.c) { margin: 0 calc(1px - 2px); color: red }\n"
        #expect(
            String(decoding: PageFile.compact(Array(source.utf8)), as: UTF8.self)
                == "a > *,b:not(.c){margin:0 calc(1px - 2px);color:red}\n"
        )
    }

    // MARK: Other devices of the network

    private func networkStatus(_ host: String, _ origin: String?) -> Int? {
        let rules = PageRules(reach: .network, port: 4242, name: "Deck.local")
        let headers = ["host": host].merging(origin.map { ["origin": $0] } ?? [:]) { first, _ in first }
        return rules.refusal(of: RequestHead(origin == nil ? "GET" : "POST", ["session"], headers: headers))?.status
    }

    @Test("the network's page answers to private addresses and to the machine's own name")
    func networkHosts() {
        for host in ["192.168.1.20:4242", "10.0.0.1:4242", "deck.local:4242", "DECK.local:4242"] {
            #expect(networkStatus(host, nil) == nil, "\(host)")
            #expect(networkStatus(host, "https://\(host.lowercased())") == nil, "\(host)")
            #expect(networkStatus(host, "http://\(host.lowercased())") == 403, "\(host)")
        }
        for host in ["8.8.8.8:4242", "evil.example:4242", "other.local:4242", "192.168.1.20", "192.168.1.20:1", ""] {
            #expect(networkStatus(host, nil) == 421, "\(host)")
        }
    }

    @Test("a browser of another device only looks until it is allowed more, and never decides about browsers")
    func rights() throws {
        let rules = PageRules(reach: .network, port: 4242)
        var access = PageAccess()
        let code = access.code(at: .now)
        let signedIn = access.signIn(withCode: code, as: "", at: .now)
        let key = try #require(signedIn)
        func refusal(_ method: String, _ path: [String]) throws -> Int? {
            let browser = try #require(access.browser(key, at: .now))
            return rules.refusal(of: RequestHead(method, path, headers: [:]), by: browser)?.status
        }
        #expect(try refusal("GET", ["v1", "games"]) == nil)
        #expect(try refusal("POST", ["v1", "games", "celeste"]) == 403)
        #expect(try refusal("GET", ["v1", "page", "browsers"]) == 403)
        let isAllowed = access.allowChanges(by: 1)
        #expect(isAllowed)
        #expect(try refusal("POST", ["v1", "games", "celeste"]) == nil)
        #expect(try refusal("DELETE", ["v1", "page", "browsers", "1"]) == 403)
        #expect(try refusal("POST", ["v1", "page", "network"]) == 403)
    }
}
