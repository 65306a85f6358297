import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("A watch for paths that may appear", .timeLimit(.minutes(1)))
struct ArrivalWatchTests {
    let temporary = TemporaryFolder()

    private func watch(_ paths: String...) throws -> ArrivalWatch {
        try ArrivalWatch(for: paths.map { temporary.path(of: $0) }, on: .shared)
    }

    @Test("A folder on the way to a path ends the wait")
    func folderOnTheWay() async throws {
        let watch = try watch("a/b/c")
        mkdir(temporary.path(of: "a"), 0o700)
        #expect(await watch.happened())
    }

    @Test("A neighbour of the path does not end the wait")
    func neighbour() async throws {
        mkdir(temporary.path(of: "a"), 0o700)
        let watch = try watch("a/b")
        try temporary.put("2", at: "a/c")
        #expect(await watch.happened(within: .milliseconds(1)) == false)
        try temporary.put("2", at: "a/b")
        #expect(await watch.happened())
    }

    @Test("Every name in a folder ends the wait if the path ends with a slash")
    func anyName() async throws {
        mkdir(temporary.path(of: "a"), 0o700)
        let watch = try watch("a/")
        try temporary.put("2", at: "a/c")
        #expect(await watch.happened())
    }

    @Test("A file that is written in its place ends the wait, and so does the end of its folder")
    func writtenAndRemoved() async throws {
        mkdir(temporary.path(of: "a"), 0o700)
        try temporary.put("1", at: "a/b")
        let (first, second) = (try watch("a/b"), try watch("a/c"))
        let file = open(temporary.path(of: "a/b"), O_WRONLY | O_APPEND)
        close(file)
        #expect(await first.happened())
        unlink(temporary.path(of: "a/b"))
        rmdir(temporary.path(of: "a"))
        #expect(await second.happened())
    }
}
