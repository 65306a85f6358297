import Testing
import Vocabulary

@Suite("Host and port", .timeLimit(.minutes(5)))
struct HostAndPortTests {
    @Test(
        "A host and port is parsed as people write it",
        arguments: [
            ("deck.local:4242", "deck.local", UInt16(4242), "deck.local:4242"), ("deck:1", "deck", 1, "deck:1"),
            ("10.0.0.7:65535", "10.0.0.7", 65535, "10.0.0.7:65535"), ("[::1]:80", "::1", 80, "[::1]:80"),
            ("[fe80::1%eth0]:4242", "fe80::1%eth0", 4242, "[fe80::1%eth0]:4242"),
            ("[fe80::1%25eth0]:4242", "fe80::1%25eth0", 4242, "[fe80::1%25eth0]:4242"),
            ("[::ffff:10.0.0.7]:1", "::ffff:10.0.0.7", 1, "[::ffff:10.0.0.7]:1"),
            ("bücher.local:1", "bücher.local", 1, "bücher.local:1"),
            ("deck.:1", "deck.", 1, "deck.:1"), ("my_host:1", "my_host", 1, "my_host:1"),
            ("deck:0080", "deck", 80, "deck:80"),
        ]
    )
    func isRead(_ text: String, _ host: String, _ port: UInt16, _ description: String) throws {
        let address = try HostAndPort(text)
        #expect((address.host, address.port) == (host, port))
        #expect(address.description == description)
        #expect(try HostAndPort(description) == address)
    }

    @Test(
        "The default port is used only if the text has none",
        arguments: [
            ("deck", "deck", UInt16(7)), ("[::1]", "::1", 7), ("[fe80::1%eth0]", "fe80::1%eth0", 7),
            ("deck:1", "deck", 1),
        ]
    )
    func defaultPort(_ text: String, _ host: String, _ port: UInt16) throws {
        let address = try HostAndPort(text, defaultPort: 7)
        #expect((address.host, address.port) == (host, port))
    }

    @Test(
        "An invalid host and port is refused with its rule",
        arguments: [
            ("", "name.not-a-host"), (":80", "name.not-a-host"), ("deck", "name.no-port"), ("[::1]", "name.no-port"),
            ("deck:", "name.not-a-port"), ("[::1]:", "name.not-a-port"), ("deck:0", "name.not-a-port"),
            ("deck:65536", "name.not-a-port"), ("deck:-1", "name.not-a-port"), ("deck:+1", "name.not-a-port"),
            ("deck: 1", "name.not-a-port"), ("deck:http", "name.not-a-port"), ("deck:٣", "name.not-a-port"),
            ("::1", "name.not-a-host"), ("::1:80", "name.not-a-host"), ("fe80::1%eth0:80", "name.not-a-host"),
            ("a:b:1", "name.not-a-host"), ("[::1", "name.not-a-host"), ("[::1]80", "name.not-a-host"),
            ("[deck]:80", "name.not-a-host"), ("[]:80", "name.not-a-host"), ("[::1]]:80", "name.not-a-host"),
            ("-rf:80", "name.not-a-host"), (".local:80", "name.not-a-host"), ("a b:80", "name.not-a-host"),
            ("a/b:80", "name.not-a-host"), ("user@deck:80", "name.not-a-host"), ("deck\n:80", "name.not-a-host"),
            ("deck\u{0}:80", "name.not-a-host"), ("deck\u{202E}:80", "name.not-a-host"),
            ("deck\u{200B}:80", "name.not-a-host"),
            (String(repeating: "a", count: 254) + ":80", "name.not-a-host"),
        ]
    )
    func isRefused(_ text: String, _ code: String) throws {
        let error = try #require(throws: InvalidName.self) { try HostAndPort(text) }
        #expect(error.code.description == code)
        #expect(error.nextStep.contains("[fe80::1%eth0]:4242"))
    }

    @Test("A default port of 0 is refused")
    func zeroDefault() {
        #expect(throws: InvalidName.self) { try HostAndPort("deck", defaultPort: 0) }
    }
}
