import CommandTable
import Household
import TestSupport
import Testing
import Vocabulary
import Workbench

@Suite("The settings of the daemon", .timeLimit(.minutes(5)))
struct DaemonSettingsTests {
    /// One setting with another value in its file, its variable and its option, and the value that counts.
    struct Row: CustomTestStringConvertible {
        let key: EffectiveSettings.Setting
        let file: String
        let variable: (text: String, value: String)
        let option: (text: String, value: String)

        var testDescription: String { key.rawValue }

        init(_ key: EffectiveSettings.Setting, _ file: String, _ variable: String, _ option: String) {
            self.init(key, file, (variable, variable), (option, option))
        }

        init(
            _ key: EffectiveSettings.Setting,
            _ file: String,
            _ variable: (text: String, value: String),
            _ option: (text: String, value: String)
        ) {
            (self.key, self.file, self.variable, self.option) = (key, file, variable, option)
        }
    }

    private static let rows = [
        Row(.name, "'Attic'", "Cellar", "Porch"),
        Row(.inbox, "'/srv/a'", ("~/b", "/people/ann/b"), ("/srv/./c", "/srv/c")),
        Row(.port, "4001", "4002", "4003"),
        Row(.address, "'127.0.0.1'", "127.0.0.2", "::1"),
        Row(.advertise, "true", ("0", "false"), ("yes", "true")),
        Row(.browse, "false", ("on", "true"), ("no", "false")),
        Row(.interfaces, "['eth0']", ("eth1,wl*", "eth1, wl*"), ("eth2", "eth2")),
        Row(.exceptInterfaces, "['wg0']", ("wg1", "wg1"), ("wg2,tun*", "wg2, tun*")),
        Row(.hook, "'/srv/a'", ("/srv/b", "/srv/b"), ("~/c", "/people/ann/c")),
        Row(.hookSeconds, "31", "32", "33"),
        Row(.notifications, "false", ("yes", "true"), ("no", "false")),
        Row(.joinGames, "false", ("yes", "true"), ("no", "false")),
        Row(.shareFound, "true", ("no", "false"), ("yes", "true")),
        Row(.sendLimit, "'5MiB'", "6MiB", "none"),
        Row(.receiveLimit, "'500KiB'", "none", "1GiB"),
    ]

    private let home = TestSupport.TemporaryFolder()

    private func settings(
        _ words: [String],
        _ variables: [String: String],
        file: String = "{}"
    ) throws -> DaemonSettings {
        try home.put(file, at: "config.json5")
        let usual = ["HOME": "/people/ann", "HUDDLE_CONFIG": home.path(of: "config.json5")]
        let environment = variables.merging(usual) { said, _ in said }
        return try DaemonSettings(try DaemonOptions.read(words, environment), environment)
    }

    @Test("An option counts more than a variable, and a variable more than the file", arguments: rows)
    func each(row: Row) throws {
        let option = try #require(DaemonOptions.table.first { $0.key == row.key }?.option.shape)
        let variable = try #require(option.environment)
        let file = "{ \(row.key.rawValue): \(row.file) }"
        let written = try settings([], [:], file: file).effective(kept: nil)[row.key]
        #expect(written?.origin == .file)
        let reported = try settings([], [variable: row.variable.text], file: file).effective(kept: nil)[row.key]
        #expect(reported == .init(row.variable.value, .environment(variable)))
        #expect(reported?.value != written?.value)
        let words = [option.longForm, row.option.text]
        let typed = try settings(words, [variable: row.variable.text], file: file).effective(kept: nil)[row.key]
        #expect(typed == .init(row.option.value, .option(option.longForm)))
    }

    @Test("Each key of the file has an option and a variable, and is tested here")
    func complete() throws {
        #expect(Set(DaemonOptions.table.map(\.key)) == Set(EffectiveSettings.Setting.allCases))
        for (key, option) in DaemonOptions.table {
            let variable = try #require(option.shape.environment, "\(key) has no variable")
            #expect(variable.hasPrefix("HUDDLE_"))
        }
        #expect(Set(Self.rows.map(\.key)) == Set(EffectiveSettings.Setting.allCases.filter(\.isInFile)))
    }

    @Test("The template has exactly the keys of the file")
    func template() {
        let keys = DaemonConfiguration.template.matches(of: #/(?m)^ +// ([a-zA-Z]+): .*,$/#).map { String($0.1) }
        #expect(Set(keys) == Set(EffectiveSettings.Setting.allCases.filter(\.isInFile).map(\.rawValue)))
    }

    @Test("The configuration has the values of options and variables")
    func made() throws {
        let words = ["--no-browse", "-i", "eth0", "-i", "wl*", "--except-interface", "wg*", "--hook-seconds", "7"]
        let made = try settings(words, ["HUDDLE_HOOK": "/srv/hook", "HUDDLE_NOTIFICATIONS": "no"])
        #expect(made.hook == "/srv/hook" && made.configuration.hookLimit == .seconds(7))
        #expect(!made.configuration.notifies && !made.configuration.browses && made.configuration.advertises)
        #expect(made.configuration.onlyInterfaces == ["eth0", "wl*"])
        #expect(made.configuration.exceptInterfaces == ["wg*"])
        #expect(made.effective(kept: nil)[.browse] == .init("false", .option("--no-browse")))
    }

    @Test("The word none removes a setting, and a hook of that name needs a path")
    func nothing() throws {
        let file = "{ hook: '/srv/hook', interfaces: ['eth0'], exceptInterfaces: ['wg*'] }"
        let variables = ["HUDDLE_HOOK": "none", "HUDDLE_INTERFACES": "none", "HUDDLE_EXCEPT_INTERFACES": "none"]
        let made = try settings([], variables, file: file)
        #expect(made.hook == nil && made.configuration.onlyInterfaces.isEmpty)
        #expect(made.configuration.exceptInterfaces.isEmpty)
        let shown = made.effective(kept: nil)
        #expect(shown[.hook] == .init("none", .environment("HUDDLE_HOOK")))
        #expect(shown[.interfaces] == .init("all but those of containers", .environment("HUDDLE_INTERFACES")))
        let typed = try settings(["--hook", "./none", "-i", "none", "-i", "eth1"], variables, file: file)
        #expect(typed.hook?.hasSuffix("/none") == true && typed.configuration.onlyInterfaces == ["none", "eth1"])
    }

    @Test("A path may begin with ~, as in a unit file that no shell reads")
    func atHome() throws {
        let variables = ["HUDDLE_STATE": "~/state", "HUDDLE_RUNTIME": "~/run"]
        let made = try settings([], variables)
        #expect(made.state == "/people/ann/state" && made.socket == "/people/ann/run/control")
    }

    @Test(
        "A variable with a wrong value is refused by its name",
        arguments: [
            ("HUDDLE_PORT", "0"), ("HUDDLE_ADDRESS", "here"), ("HUDDLE_HOOK_SECONDS", "3601"),
            ("HUDDLE_BROWSE", "some"),
        ]
    )
    func wrong(variable: String, text: String) {
        #expect { try settings([], [variable: text]) } throws: { "\($0)".contains(variable) }
    }

    @Test("The page of the settings has each option as the table declares it")
    func page() throws {
        let page = try Repository.text(of: "docs/reference/settings.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let wanted = DaemonOptions.table.map { key, option in
            let shape = option.shape
            let value = shape.placeholder.map { " \($0)" } ?? ""
            let inFile = key.isInFile ? "`\(key.rawValue)`" : "–"
            return "| `\(shape.longForm)\(value)` | `\(shape.environment ?? "")` | \(inFile) | \(shape.help) |"
                .replacing("yes|no", with: "yes\\|no")
        }
        #expect(rows == wanted, "it should be:\n\(wanted.joined(separator: "\n"))")
    }
}
