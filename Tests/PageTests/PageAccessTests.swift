import LinuxPlatform
import Testing

@testable import Page

@Suite("Browsers that may use the page")
struct PageAccessTests {
    private let start = ContinuousClock.Instant.now

    /// Signs a new browser in with a new token.
    private func signIn(_ access: inout PageAccess, as agent: String = "") throws -> PageSecret {
        let token = access.token(at: start)
        let secret = access.signIn(with: token, as: agent, at: start)
        return try #require(secret)
    }

    @Test("a token signs one browser in, once")
    func once() throws {
        var access = PageAccess()
        let token = access.token(at: start)
        let signedIn = access.signIn(with: token, as: "Firefox", at: start)
        let browser = try #require(signedIn)
        #expect(access.browser(browser, at: start)?.agent == "Firefox")
        let again = access.signIn(with: token, as: "Firefox", at: start)
        #expect(again == nil)
        #expect(access.browser(token, at: start) == nil)
    }

    @Test("a token is good for a minute")
    func tokenEnds() {
        var access = PageAccess()
        let (early, late) = (access.token(at: start), access.token(at: start))
        let inTime = access.signIn(with: early, as: "", at: start + .seconds(59))
        let tooLate = access.signIn(with: late, as: "", at: start + .seconds(60))
        #expect(inTime != nil && tooLate == nil)
    }

    @Test("a browser stays signed in for twelve hours, and the listener as long")
    func browserEnds() throws {
        var access = PageAccess()
        #expect(access.end(of: .loopback, at: start) == nil)
        let browser = try signIn(&access)
        #expect(access.end(of: .loopback, at: start) == start + .seconds(12 * 3_600))
        #expect(access.browser(browser, at: start + .seconds(12 * 3_600 - 1)) != nil)
        #expect(access.browser(browser, at: start + .seconds(12 * 3_600)) == nil)
        _ = access.token(at: start + .seconds(12 * 3_600))
        #expect(access.signedIn.isEmpty)
    }

    @Test("the oldest of many unused tokens are dropped")
    func manyTokens() {
        var access = PageAccess()
        let tokens = (0..<9).map { _ in access.token(at: start) }
        let (first, second) = (
            access.signIn(with: tokens[0], as: "", at: start), access.signIn(with: tokens[1], as: "", at: start)
        )
        #expect(first == nil && second != nil)
    }

    @Test("the first of many browsers is signed out")
    func manyBrowsers() throws {
        var access = PageAccess()
        let first = try signIn(&access)
        for _ in 0..<16 { _ = try signIn(&access) }
        #expect(access.browser(first, at: start) == nil)
        #expect(access.signedIn.map(\.number) == Array(2...17))
    }

    @Test("the user signs a browser out by its number")
    func signsOut() throws {
        var access = PageAccess()
        let browser = try signIn(&access)
        let (other, own) = (access.signOut(7), access.signOut(1))
        #expect(!other && own)
        #expect(access.browser(browser, at: start) == nil)
    }

    @Test("a browser's name for itself is cut to 200 characters")
    func longAgent() throws {
        var access = PageAccess()
        let agent = String(repeating: "x", count: 10_000)
        let browser = try signIn(&access, as: agent)
        #expect(access.browser(browser, at: start)?.agent.count == 200)
    }

    @Test("a secret has 64 small hexadecimal digits", arguments: ["g", "AB", "0 ", "é"])
    func secrets(text: String) {
        #expect(PageSecret(String(repeating: "0", count: 64 - text.utf8.count) + text) == nil)
        #expect(PageSecret(String(repeating: "0", count: 63)) == nil)
        let secret = PageSecret.random()
        #expect(PageSecret(secret.text) == secret)
        #expect(PageSecret.random() != secret)
    }

    // MARK: Codes

    @Test("a code signs one browser in, once, within five minutes, and that browser only looks")
    func code() throws {
        var access = PageAccess()
        let code = access.code(at: start)
        #expect(code.utf8.count == 6 && code.utf8.allSatisfy { (0x30...0x39).contains($0) })
        let signedIn = access.signIn(withCode: code, as: "telephone", at: start + .seconds(299))
        let key = try #require(signedIn)
        #expect(access.browser(key, at: start + .seconds(299))?.right == .read)
        let again = access.signIn(withCode: code, as: "", at: start + .seconds(299))
        #expect(again == nil)
        let second = access.code(at: start)
        let late = access.signIn(withCode: second, as: "", at: start + .seconds(300))
        #expect(late == nil)
    }

    @Test("the third wrong code ends a code")
    func wrongCodes() {
        for wrongCount in 0..<5 {
            var access = PageAccess()
            let code = access.code(at: start)
            let wrong = code == "000000" ? "000001" : "000000"
            for _ in 0..<wrongCount {
                let key = access.signIn(withCode: wrong, as: "", at: start)
                #expect(key == nil)
            }
            let key = access.signIn(withCode: code, as: "", at: start)
            #expect((key != nil) == (wrongCount < 3), "after \(wrongCount) wrong codes")
        }
    }

    @Test("a new code replaces an older one, and its wrong tries")
    func newCode() throws {
        var access = PageAccess()
        let first = access.code(at: start)
        var second = access.code(at: start)
        while second == first { second = access.code(at: start) }
        let old = access.signIn(withCode: first, as: "", at: start)
        let new = access.signIn(withCode: second, as: "", at: start)
        #expect(old == nil && new != nil)
    }

    @Test("each listener ends with its own browsers, and only the browsers of other devices are allowed more")
    func listeners() throws {
        var access = PageAccess()
        _ = try signIn(&access)
        #expect(access.end(of: .network, at: start) == nil)
        let code = access.code(at: start)
        #expect(access.end(of: .network, at: start) == start + .seconds(300))
        _ = access.signIn(withCode: code, as: "", at: start)
        #expect(access.end(of: .network, at: start) == start + .seconds(12 * 3_600))
        let (own, other, none) = (
            access.allowChanges(by: 1), access.allowChanges(by: 2), access.allowChanges(by: 3)
        )
        #expect(!own && other && !none)
        access.close(.network)
        #expect(access.signedIn.map(\.right) == [.all] && access.end(of: .network, at: start) == nil)
    }
}
