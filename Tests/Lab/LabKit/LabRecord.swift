import Glibc

/// The record of a running lab, by which other processes can use it.
///
/// It names a process by its number and its start time. A reused number is therefore noticed, and the record that a
/// crash left behind never leads to another process.
struct LabRecord: Equatable {
    struct Process: Equatable {
        let identifier: CInt
        let startTime: UInt64
    }

    let privilege: Privilege
    /// The process that owns the lab, and with which it ends.
    let owner: Process
    let network: Process
    let hosts: [(name: String, keeper: Process)]

    static func == (left: LabRecord, right: LabRecord) -> Bool { left.text == right.text }

    /// One line for each process.
    var text: String {
        let lines = [("owner", owner, privilege.rawValue), ("switch", network, "-")]
        return (lines + hosts.map { ("host", $0.keeper, $0.name) })
            .map { "\($0.0) \($0.1.identifier) \($0.1.startTime) \($0.2)\n" }
            .joined()
    }

    init(privilege: Privilege, owner: Process, network: Process, hosts: [(name: String, keeper: Process)]) {
        self.privilege = privilege
        self.owner = owner
        self.network = network
        self.hosts = hosts
    }

    /// Reads the form of ``text``; nil for any other text.
    init?(_ text: String) {
        var processes: [(kind: Substring, process: Process, word: String)] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count == 4, let identifier = CInt(words[1]), identifier > 1, let start = UInt64(words[2]) else {
                return nil
            }
            processes.append((words[0], Process(identifier: identifier, startTime: start), String(words[3])))
        }
        guard processes.count > 2, processes[0].kind == "owner", processes[1].kind == "switch",
            processes.dropFirst(2).allSatisfy({ $0.kind == "host" }),
            let privilege = Privilege(rawValue: processes[0].word)
        else { return nil }
        self.privilege = privilege
        owner = processes[0].process
        network = processes[1].process
        hosts = processes.dropFirst(2).map { ($0.word, $0.process) }
    }
}
