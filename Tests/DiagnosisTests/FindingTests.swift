import Diagnosis
import Testing
import Vocabulary

/// Facts and their expected findings: grade and words of each, in order.
struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let facts: any Facts
    let wanted: [Wanted]

    struct Wanted: Sendable {
        let check: Finding.Check
        let grade: Finding.Grade
        /// Expected in the message.
        let message: String
        /// One of the commands.
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

@Suite("Findings", .timeLimit(.minutes(5)))
struct FindingTests {
    @Test(
        "A finding follows from the facts, and has the commands that fix it",
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

    @Test("Each kind of check can be well, and each can find a problem")
    func everyCheck() {
        let all = FindingTable.daemon + FindingTable.network + FindingTable.peers + FindingTable.machine
        let findings = all.flatMap(\.facts.findings)
        for check in Finding.Check.allCases {
            #expect(findings.contains { $0.check == check && $0.grade != .well }, "\(check)")
        }
    }

    @Test("Free space is reported once for each disk, with all its folders if it is low")
    func disks() throws {
        func disk(_ use: String, free: UInt64 = 1 << 40, device: UInt64 = 1, isWritable: Bool = true) -> DiskFacts {
            DiskFacts(use: use, path: "/\(use)", freeBytes: free, isWritable: isWritable, device: device)
        }
        let well = DiskFacts.findings(of: [disk("a"), disk("b"), disk("c", device: 2)])
        #expect(well.map(\.grade) == [.well, .well])
        let findings = DiskFacts.findings(of: [
            disk("a", free: 0), disk("b", device: 2), disk("c", free: 0), disk("d", free: 0),
        ])
        #expect(findings.map(\.grade) == [.fault, .well])
        let full = try #require(findings.first)
        #expect(full.message == "the disk with a, c, d is full: /a, /c, /d")
        #expect(full.commands == ["df -h /a", "huddle history --clean"])
        #expect(full.explanation?.contains("first remove or move") == true)
        let low = DiskFacts.findings(of: [disk("a", free: 64 << 20), disk("b", free: 64 << 20)])
        #expect(low.map(\.message) == ["only 64 MiB are free for a, b: /a, /b"])
        // Missing write access is reported for each folder.
        let closed = DiskFacts.findings(of: [disk("a", isWritable: false), disk("b", isWritable: false), disk("c")])
        #expect(closed.map(\.grade) == [.fault, .fault, .well])
    }

    @Test("Missing files are reported, not omitted")
    func nothingKept() {
        #expect(PathFacts.findings(of: []).map(\.grade) == [.well])
    }

    @Test("A path with shell characters is quoted in commands")
    func quoting() {
        #expect("\(ShellWord("/home/deck/.local"))" == "/home/deck/.local")
        #expect("\(ShellWord("/tmp/my saves"))" == "'/tmp/my saves'")
        #expect("\(ShellWord("/tmp/it's $(here)"))" == "'/tmp/it'\\''s $(here)'")
        #expect("\(ShellWord(""))" == "''")
        #expect(!"\(ShellWord("/tmp/\u{1B}[2J"))".contains("\u{1B}"))
    }

    @Test("No command has a peer's own name")
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
        "A firewall is recognised by its settings or rules",
        arguments: [
            (nil, false, nil, .unread), (nil, false, "", .none),
            ("# comment\nENABLED=yes\n", false, nil, .ufw),
            ("ENABLED=no\n", false, nil, .unread),
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
