import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

@Suite("Round trip of a resource", .timeLimit(.minutes(10)))
struct RoundTripTests {
    let from = TemporaryFolder()
    let into = TemporaryFolder()

    @Test(
        "A file arrives with its name and content, and no other file remains",
        arguments: [0, 1, 4096, 65_536, 9_000_001]
    )
    func file(size: Int) throws {
        try from.put(String(repeating: "x", count: size), at: "save.dat")
        let (name, start) = try Transfer.whole(ResourceSource(at: from.path(of: "save.dat")), into: into.path)
        #expect(name == "save.dat" && start == 0)
        #expect(into.names() == ["save.dat"])
        #expect(into.text(at: "save.dat")?.utf8.count == size)
    }

    @Test("A random tree arrives unchanged", arguments: 0..<25 as Range<UInt64>)
    func tree(seed: UInt64) throws {
        var maker = RandomTree(seed: seed)
        try maker.make(at: from.path(of: "saves"))
        let step = [7, 100, 4096, 1 << 20][Int(seed % 4)]
        let (name, _) = try Transfer.whole(ResourceSource(at: from.path(of: "saves")), into: into.path, step: step)
        #expect(name == "saves")
        #expect(into.names() == ["saves"])
        let (sent, arrived) = (TreeListing.of(from.path(of: "saves")), TreeListing.of(into.path(of: "saves")))
        #expect(sent == arrived, "seed \(seed)")
        #expect(!sent.isEmpty)
    }
}
