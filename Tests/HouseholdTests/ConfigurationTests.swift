import Testing
import Vocabulary

@testable import Household

@Suite("The daemon's configuration", .timeLimit(.minutes(5)))
struct ConfigurationTests {
    private func read(_ text: String) throws -> DaemonConfiguration {
        try DaemonConfiguration(Array(text.utf8), from: "c")
    }

    @Test("an unchanged template has the same settings as no file")
    func template() throws {
        #expect(try read(DaemonConfiguration.template) == DaemonConfiguration())
    }

    @Test("the file may have every setting of the template, and the template has every setting")
    func everySetting() throws {
        let lines = DaemonConfiguration.template.split(separator: "\n")
        let settings = lines.filter { $0.contains(#/^ +// [a-zA-Z]+: .*,$/#) }
        let file = "{\n" + settings.map { $0.replacing("// ", with: "") }.joined(separator: "\n") + "\n}"
        let configuration = try read(file)
        #expect(settings.count == DaemonConfiguration.keys.count)
        #expect(configuration.name?.text == "Deck")
        #expect(configuration.port == 4242)
        #expect(configuration.onlyInterfaces == ["eth0", "wl*"])
        #expect(configuration.hook == "~/.config/huddle/hook" && configuration.hookLimit == .seconds(30))
    }

    @Test("the file may have comments, both kinds of quotes and trailing commas")
    func likeable() throws {
        let text = """
            {
                // single quotes, with a quote " and an apostrophe \\' inside, and a // that is no comment
                name: 'A "b" \\'c\\' // d', /* a comment
                over two lines */ "port": 4242,
                interfaces: ["eth0", 'wl*',],
            }
            """
        let configuration = try read(text)
        #expect(configuration.name?.text == "A \"b\" 'c' // d")
        #expect(configuration.port == 4242)
        #expect(configuration.onlyInterfaces == ["eth0", "wl*"])
    }

    @Test(
        "a wrong setting is named with its mistake",
        arguments: [
            ("{ prot: 1 }", "there is no setting “prot”; did you mean “port”?"),
            ("{ port: 70000 }", "“port” is a whole number from 1 to 65535, not 70000"),
            ("{ port: 0 }", "“port” is a whole number from 1 to 65535, not 0"),
            ("{ port: '1' }", "“port” is wrong: it is not a number"),
            ("{ address: 'here' }", "“address” is an IPv4 or IPv6 address, such as 127.0.0.1"),
            ("{ inbox: 'there' }", "“inbox” is a whole path, from / or ~/ on"),
            ("{ hook: 'hook' }", "“hook” is a whole path, from / or ~/ on"),
            ("{ hookSeconds: 0 }", "“hookSeconds” is a whole number from 1 to 3600, not 0"),
            ("{ advertise: 'no' }", "“advertise” is wrong: it is not true or false"),
        ]
    )
    func faults(text: String, message: String) {
        do {
            _ = try read(text)
            Issue.record("“\(text)” is taken")
        } catch let fault as ConfigurationFault {
            #expect(fault.message == "c, line 1: \(message)")
        } catch {
            Issue.record(error)
        }
    }

    @Test(
        "a mistake is refused with its line, whatever it is",
        arguments: [("{\n/* one\n*/ port: @,\n}", 3), ("{\n  port 4242\n}", 2), ("{\n  name: 'x\n", 2)]
    )
    func lines(text: String, line: Int) {
        do {
            _ = try read(text)
            Issue.record("“\(text)” is taken")
        } catch {
            #expect("\(error)".contains("c, line \(line): "), "\(error)")
        }
    }

    @Test("a file that ends in the middle is refused", arguments: ["", "{", "{ name: 'x", "{ name: \"\\", "/* "])
    func unfinished(text: String) {
        #expect(throws: ConfigurationFault.self) { try read(text) }
    }
}
