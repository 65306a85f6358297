import Diagnosis
import Testing
import Vocabulary

/// Facts, and what has to follow: grade and words for each finding, in order.
struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let facts: any Facts
    let wanted: [Wanted]

    struct Wanted: Sendable {
        let check: Finding.Check
        let grade: Finding.Grade
        /// Stands in the message.
        let message: String
        /// Is one of the commands.
        let command: String?
    }

    init(_ name: String, _ facts: any Facts, _ wanted: Wanted...) {
        (testDescription, self.facts, self.wanted) = (name, facts, wanted)
    }
}

extension Case.Wanted {
    static func well(_ check: Finding.Check, _ message: String) -> Self {
        Self(check: check, grade: .well, message: message, command: nil)
    }

    static func warning(_ check: Finding.Check, _ message: String, _ command: String) -> Self {
        Self(check: check, grade: .warning, message: message, command: command)
    }

    static func fault(_ check: Finding.Check, _ message: String, _ command: String) -> Self {
        Self(check: check, grade: .fault, message: message, command: command)
    }
}

@Suite("a finding", .timeLimit(.minutes(5)))
struct FindingTests {
    @Test(
        "follows from the facts, and says what mends it",
        arguments: FindingTable.daemon + FindingTable.network + FindingTable.peers + FindingTable.machine
    )
    func follows(_ row: Case) {
        let findings = row.facts.findings
        #expect(findings.count == row.wanted.count, "\(findings)")
        for (finding, wanted) in zip(findings, row.wanted) {
            #expect(finding.check == wanted.check)
            #expect(finding.grade == wanted.grade)
            #expect(finding.message.contains(wanted.message), "\(finding.message)")
            if let command = wanted.command { #expect(finding.commands.contains(command), "\(finding.commands)") }
            let isWell = finding.grade == .well
            #expect((finding.explanation == nil) == isWell && (!isWell || finding.commands.isEmpty))
        }
    }

    @Test("each kind of check can be well, and each can be found amiss")
    func everyCheck() {
        let all = FindingTable.daemon + FindingTable.network + FindingTable.peers + FindingTable.machine
        let findings = all.flatMap(\.facts.findings)
        for check in Finding.Check.allCases {
            #expect(findings.contains { $0.check == check && $0.grade != .well }, "\(check)")
        }
    }

    @Test("about a disk that is well is said once for each disk, others each time")
    func disks() {
        let (first, second) = (
            DiskFacts(use: "a", path: "/a", freeBytes: 1 << 40, device: 1),
            DiskFacts(use: "b", path: "/b", freeBytes: 1 << 40, device: 2)
        )
        let full = DiskFacts(use: "c", path: "/c", freeBytes: 0, device: 1)
        let grades = DiskFacts.findings(of: [first, first, second, full, full]).map(\.grade)
        #expect(grades == [.well, .well, .fault, .fault])
    }

    @Test("says that nothing is kept yet, rather than nothing")
    func nothingKept() {
        #expect(PathFacts.findings(of: []).map(\.grade) == [.well])
    }

    @Test("quotes what a shell would take for more than a word")
    func quoting() {
        #expect("\(ShellWord("/home/deck/.local"))" == "/home/deck/.local")
        #expect("\(ShellWord("/tmp/my saves"))" == "'/tmp/my saves'")
        #expect("\(ShellWord("/tmp/it's $(here)"))" == "'/tmp/it'\\''s $(here)'")
        #expect("\(ShellWord(""))" == "''")
        #expect(!"\(ShellWord("/tmp/\u{1B}[2J"))".contains("\u{1B}"))
    }

    @Test("never has a command with what a peer calls itself")
    func names() throws {
        let id = try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32)))
        var peer = PeerFacts(id, try InstanceName("$(reboot)"))
        for policy in Policy.allCases {
            for (isSeen, waits) in [(true, false), (true, true), (false, false)] {
                (peer.policy, peer.isSeen, peer.waits) = (policy, isSeen, waits)
                #expect(peer.findings.allSatisfy { !$0.commands.contains { $0.contains("reboot") } })
            }
        }
    }

    @Test(
        "knows a firewall by its settings or rules",
        arguments: [
            (nil, false, nil, .none),
            ("# comment\nENABLED=yes\n", false, nil, .ufw),
            ("ENABLED=no\n", false, nil, .none),
            (nil, true, nil, .firewalld),
            (
                nil, false,
                "table inet filter {\n\tchain input {\n\t\ttype filter hook input priority filter; policy drop;\n",
                .nftables
            ),
            (
                nil, false,
                "table inet filter {\n\tchain input {\n\t\ttype filter hook input priority 0; policy accept;\n", .none
            ),
            (
                nil, false,
                "chain input {\n type filter hook input priority 0; policy accept;\n ct state new\n reject with icmp\n",
                .nftables
            ),
            (nil, false, "chain forward {\n type filter hook forward priority 0; policy drop;\n", .none),
        ] as [(String?, Bool, String?, Firewall)]
    )
    func firewall(settings: String?, firewalld: Bool, rules: String?, wanted: Firewall) {
        #expect(Firewall(ufwSettings: settings, hasFirewalld: firewalld, rules: rules) == wanted)
    }
}
