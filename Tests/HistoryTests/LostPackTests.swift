import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Packs that are lost", .timeLimit(.minutes(5)))
struct LostPackTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path(of: "history") }

    private func files(_ seed: UInt64) -> [String: [UInt8]] { ["a": randomBytes(40_000, seed: seed)] }

    private func open() throws -> History { try History.open(at: path, packLimit: 32 << 10) }

    private func pack(_ number: Int) -> String { "\(path)/pack-000000000\(number)" }

    /// Three snapshots. Packs 1, 3 and 5 have the file of one, packs 2, 4 and 6 have its manifest and itself.
    private func make() throws -> [Snapshot] {
        let history = try open()
        let made = try (1...3).map { try history.capture(files($0), counter: $0) }
        _ = try history.usage()
        for number in 1...6 { #expect(access(pack(number), F_OK) == 0) }
        return made
    }

    @Test("a version that is nowhere any more is damage, after restarts too, until a repair gives it up")
    func givenUp() throws {
        let made = try make()
        unlink(pack(2))
        for _ in 1...2 {
            let history = try open()
            #expect(history.lostSnapshots.map(\.snapshot) == [made[0].id])
            let check = try history.check()
            #expect(check.touched.map(\.snapshot) == [made[0].id] && check.touched.first?.set == testSet)
            #expect(!check.isSound && check.isIndexSound && check.damages.isEmpty)
            #expect(try history.contents(of: made[1].id) == files(2))
        }
        do {
            let history = try open()
            let check = try history.check(repairing: true)
            #expect(check.isRepaired && check.touched.map(\.snapshot) == [made[0].id])
            #expect(try history.check().isSound && history.lostSnapshots.isEmpty)
        }
        let history = try open()
        #expect(try history.check().isSound && history.lostSnapshots.isEmpty)
        #expect(try history.contents(of: made[2].id) == files(3))
    }

    @Test(
        "where all packs are gone all versions are lost, but for those that come again, and what is kept since is found"
    )
    func all() throws {
        let made = try make()
        for number in 1...6 { unlink(pack(number)) }
        let new = try open().capture(files(9), counter: 9)
        do {
            let history = try open()
            #expect(try history.contents(of: new.id) == files(9))
            #expect(history.lostSnapshots.map(\.snapshot) == made.map(\.id).sorted())
            try history.capture(files(1), counter: 1)
            #expect(history.lostSnapshots.count == 2)
            try history.drop([made[0].id])
            try history.collectGarbage()
            #expect(history.lostSnapshots.count == 2)
        }
        let history = try open()
        #expect(history.lostSnapshots.map(\.snapshot) == made.dropFirst().map(\.id).sorted())
        #expect(try history.contents(of: new.id) == files(9))
    }

    @Test("what a version needs of a lost pack is told by file, and the version is whole once it was put again")
    func pieces() throws {
        let made = try make()
        unlink(pack(1))
        let history = try open()
        #expect(history.lostSnapshots.isEmpty)
        let check = try history.check()
        #expect(check.touched.map(\.snapshot) == [made[0].id] && check.touched.first?.files.map(\.text) == ["a"])
        try history.capture(files(1), counter: 1)
        #expect(try history.check().isSound && history.contents(of: made[0].id) == files(1))
    }

    @Test("a pack that is brought back has its version again, also where an index was written meanwhile")
    func broughtBack() throws {
        let made = try make()
        rename(pack(2), folder.path(of: "found"))
        _ = try open().usage()
        rename(folder.path(of: "found"), pack(2))
        let history = try open()
        #expect(try history.contents(of: made[0].id) == files(1))
        #expect(try history.check().isSound && history.lostSnapshots.isEmpty)
    }

    @Test("packs that were collected are not lost, also where the index is one from before")
    func collected() throws {
        var kept: [Snapshot] = []
        do {
            let history = try History.open(at: path, packLimit: 128 << 10)
            let made = try (1...20).map { try history.capture(files($0), counter: $0) }
            _ = try history.usage()
            let before = try bytesOfFile("\(path)/index")
            kept = made.suffix(2)
            try history.drop(made.dropLast(2).map(\.id))
            #expect(try history.collectGarbage().removedPacks > 3)
            try overwrite("\(path)/index", before)
        }
        let history = try History.open(at: path)
        #expect(history.lostSnapshots.isEmpty)
        let check = try history.check()
        #expect(check.isSound, "\(check)")
        for snapshot in kept { #expect(try history.contents(of: snapshot.id) != nil) }
    }
}
