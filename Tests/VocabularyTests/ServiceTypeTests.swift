import Testing
import Vocabulary

@Suite("Service type (RFC 6335 section 5.1)", .timeLimit(.minutes(5)))
struct ServiceTypeTests {
    @Test(
        "A service type is written as a bare name or in full",
        arguments: [
            ("huddle", "_huddle._tcp"), ("_huddle._tcp", "_huddle._tcp"), ("_huddle._udp", "_huddle._udp"),
            ("_huddle._tcp.", "_huddle._tcp"), ("HUDDLE", "_huddle._tcp"), ("_Huddle._TCP", "_huddle._tcp"),
            ("a", "_a._tcp"), ("9a", "_9a._tcp"), ("a-b-c", "_a-b-c._tcp"), ("my-game2", "_my-game2._tcp"),
            ("fifteen-letters", "_fifteen-letters._tcp"), ("1-2-3-4-5-6-7-x", "_1-2-3-4-5-6-7-x._tcp"),
        ]
    )
    func isAccepted(_ text: String, _ description: String) throws {
        #expect(try ServiceType(text).description == description)
        #expect(try ServiceType(description) == ServiceType(text), "what is printed reads as the same")
    }

    @Test(
        "An invalid service type is refused with its rule",
        arguments: [
            ("", "name.wrong-length"), ("sixteen-letters-", "name.wrong-length"), ("_._tcp", "name.wrong-length"),
            ("abcdefghijklmnop", "name.wrong-length"), ("a_b", "name.forbidden-character"),
            ("a b", "name.forbidden-character"), ("hüddle", "name.forbidden-character"),
            ("a\u{301}", "name.forbidden-character"), ("a\u{0}", "name.forbidden-character"),
            ("a@b", "name.forbidden-character"), ("a[b", "name.forbidden-character"), ("123", "name.no-letter"),
            ("1-2", "name.no-letter"), ("-ab", "name.misplaced-hyphen"), ("ab-", "name.misplaced-hyphen"),
            ("a--b", "name.misplaced-hyphen"), ("_huddle", "name.not-a-service-type"),
            ("huddle._tcp", "name.not-a-service-type"), ("_huddle._sctp", "name.not-a-service-type"),
            ("_huddle._tcp.local", "name.not-a-service-type"), ("_huddle.tcp", "name.not-a-service-type"),
            ("._tcp", "name.not-a-service-type"), ("_huddle._tcp..", "name.not-a-service-type"),
            ("_a.b._tcp", "name.not-a-service-type"), ("_\u{301}a._tcp", "name.not-a-service-type"),
        ]
    )
    func isRefused(_ text: String, _ code: String) throws {
        let error = try #require(throws: InvalidName.self) { try ServiceType(text) }
        #expect(error.code.description == code)
        #expect(error.message.contains("is not a service type: "))
        #expect(error.nextStep.contains("_my-game2._tcp"))
    }

    @Test("Service types differ by transport, not by case")
    func equality() throws {
        #expect(try ServiceType("Huddle") == .huddle)
        #expect(try Set([ServiceType("HUDDLE"), .huddle]).count == 1)
        #expect(try ServiceType("_huddle._udp") != .huddle)
        #expect(try ServiceType(name: "Huddle", .udp).description == "_huddle._udp")
        #expect(ServiceType.huddle.name == "huddle")
        #expect(ServiceType.huddle.transport == .tcp)
    }
}
