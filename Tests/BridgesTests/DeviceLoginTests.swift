import Digests
import Testing
import Vocabulary

@testable import Bridges

@Suite("The login of a device")
struct DeviceLoginTests {
    private let secret = DeviceLogin.secret(of: "phone", "opensesame")

    private func digest(
        _ nonce: String,
        count: String = "00000001",
        method: String = "GET",
        uri: String = "/saves/a%20b"
    )
        -> String
    {
        let request = MD5Stream.hexadecimal(of: Array("\(method):\(uri)".utf8))
        let response = MD5Stream.hexadecimal(of: Array("\(secret):\(nonce):\(count):1a2b3c4f:auth:\(request)".utf8))
        // The form and the order of RetroArch.
        return "Digest username=\"phone\", realm=\"Huddle\", nonce=\"\(nonce)\", uri=\"\(uri)\", nc=\"\(count)\", "
            + "cnonce=\"1a2b3c4f\", qop=\"auth\", response=\"\(response)\""
    }

    @Test("MD5 is that of RFC 1321")
    func md5() {
        #expect(MD5Stream.hexadecimal(of: []) == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(MD5Stream.hexadecimal(of: Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
    }

    @Test("the right password is taken, and no other, in either form")
    func proves() throws {
        let basic = try #require(DeviceLogin("Basic cGhvbmU6b3BlbnNlc2FtZQ=="))
        #expect(basic.user == "phone" && basic.proves(secret, method: "GET"))
        #expect(!basic.proves(DeviceLogin.secret(of: "phone", "other"), method: "GET"))
        let digest = try #require(DeviceLogin(digest("1-a")))
        #expect(digest.user == "phone" && digest.proves(secret, method: "GET"))
        #expect(!digest.proves(secret, method: "PUT"), "it is of another request")
        #expect(!digest.proves(DeviceLogin.secret(of: "phone", "other"), method: "GET"))
    }

    @Test("the digest is of one path")
    func path() throws {
        guard case .digest(let digest)? = DeviceLogin(digest("1-a")) else { return #expect(Bool(false)) }
        #expect(digest.isFor(["saves", "a b"]) && !digest.isFor(["saves", "b"]))
        var other = digest
        for uri in ["/saves/a%2", "/saves/%zz", "/saves/a%00"] {
            other.uri = uri
            #expect(!other.isFor(["saves", "a"]))
        }
    }

    @Test(
        "a header that is no login is read as none",
        arguments: [
            "", "Basic", "Basic ***", "Basic cGhvbmU=", "Bearer abc", "Digest", "Digest username=\"phone\"",
            "Digest username=\"phone", "Digest nonce=,response=", "Digest =\"\"",
        ]
    )
    func noLogin(header: String) { #expect(DeviceLogin(header) == nil) }

    @Test("a nonce of another server, an old one and a repeated request are refused")
    func nonces() {
        let now = ContinuousClock.Instant.now
        var (own, other) = (LoginGuard(key: [1], at: now), LoginGuard(key: [2], at: now))
        func takes(_ text: String, at time: ContinuousClock.Instant, _ login: inout LoginGuard) -> Bool {
            guard case .digest(let digest)? = DeviceLogin(text) else { return false }
            return login.takes(digest, at: time)
        }
        let nonce = own.nonce(at: now)
        let (first, again) = (takes(digest(nonce), at: now, &own), takes(digest(nonce), at: now, &own))
        let next = takes(digest(nonce, count: "00000002"), at: now, &own)
        let foreign = takes(digest(nonce), at: now, &other)
        let late = takes(digest(nonce, count: "00000003"), at: now + .seconds(90_000), &own)
        let forged = ["12", "-1-aa", "x-", "0-00"].filter { takes(digest($0), at: now, &own) }
        #expect(first && !again && next && !foreign && !late && forged.isEmpty)
    }

    @Test("guesses are counted, and more than ten a minute get a short answer")
    func guesses() {
        let now = ContinuousClock.Instant.now
        var login = LoginGuard(key: [1], at: now)
        let answers = (0..<11).map { _ in login.noteWrong(at: now) }
        #expect(answers == Array(repeating: true, count: 10) + [false] && login.wrongCount == 11)
        let later = login.noteWrong(at: now + .seconds(61))
        #expect(later)
    }

    @Test("a device's name can be typed everywhere")
    func names() {
        for name in ["phone", "Living-Room_TV", "a", String(repeating: "a", count: 32)] {
            #expect(DeviceName(name) != nil)
        }
        for name in ["", "-a", "a b", "ü", "a:b", "a\"b", "a/b", String(repeating: "a", count: 33)] {
            #expect(DeviceName(name) == nil)
        }
        #expect(DeviceName("phone")?.label.text == "phone, RetroArch")
    }
}
