import Diagnosis
import Testing
import Vocabulary

@Suite("Repairs that need no root", .timeLimit(.minutes(5)))
struct RepairTests {
    private func facts(_ presence: DaemonFacts.Presence, hasSystemd: Bool = true) -> [Finding] {
        DaemonFacts(version: "1", presence: presence, hasSystemd: hasSystemd).findings
    }

    @Test(
        "a daemon that does not run, does not answer or is of another version is repaired by its service manager alone"
    )
    func daemon() {
        #expect(facts(.noDaemon).repairs == [.startDaemon])
        #expect(facts(.silent(words: "")).repairs == [.restartDaemon])
        #expect(facts(.daemon(version: "2", words: "")).repairs == [.restartDaemon])
        #expect(facts(.daemon(version: "1", words: "")).repairs == [])
        for presence in [DaemonFacts.Presence.noDaemon, .silent(words: ""), .daemon(version: "2", words: "")] {
            #expect(facts(presence, hasSystemd: false).repairs == [])
        }
    }

    @Test("a mode is repaired for its owner, and a file of another user is not touched")
    func mode() {
        func key(_ mode: UInt32, isOwn: Bool) -> [Finding] {
            let mode = FileMode(rawValue: mode)
            return PathFacts(use: "the key", path: "/k", mostMode: FileMode(rawValue: 0o600), mode: mode, isOwn: isOwn)
                .findings
        }
        #expect(key(0o644, isOwn: true).repairs == [.setMode(FileMode(rawValue: 0o600), path: "/k")])
        #expect(key(0o600, isOwn: true).repairs == [] && key(0o644, isOwn: false).repairs == [])
    }

    @Test("each repair comes once, and that of the daemon last: it may need its files first")
    func order() {
        let disk = DiskFacts(use: "the state", path: "/s", freeBytes: DiskFacts.full).findings
        let all = facts(.noDaemon) + disk + disk
        #expect(all.repairs == [.cleanHistory, .startDaemon])
        #expect(Repair.startDaemon.word == "start-daemon" && Repair.startDaemon.words.contains("each login"))
    }
}
