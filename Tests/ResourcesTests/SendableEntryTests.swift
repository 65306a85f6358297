import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

@Suite("What can't be sent", .timeLimit(.minutes(10)))
struct SendableEntryTests {
    let from = TemporaryFolder()

    private func folder(with make: (String) -> Void) throws -> String {
        let path = from.path(of: "saves")
        mkdir(path, 0o755)
        mkdir("\(path)/inner", 0o755)
        try put([1], at: "\(path)/inner/good")
        make("\(path)/inner")
        return path
    }

    @Test(
        "a link that may lead out is refused by its path, and left out where that is wished",
        arguments: ["/etc/passwd", "../../x", "..//..", "good/../../../x", "a/../b", "/", "../../saves/inner", "x/.."]
    )
    func linksOut(target: String) throws {
        let path = try folder { symlink(target, "\($0)/odd") }
        #expect(refusal("resource.link-leads-out") { _ = try ResourceSource(at: path) })
        let error = #expect(throws: ResourceError.self) { try ResourceSource(at: path) }
        #expect(error?.message.contains("saves/inner/odd") == true)
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
    }

    @Test(
        "a link that stays inside is kept",
        arguments: ["good", "../inner/good", "..", "./good", "nowhere", "a//b/", "..."]
    )
    func linksInside(target: String) throws {
        let path = try folder { symlink(target, "\($0)/odd") }
        #expect(try ResourceSource(at: path).entryCount == 3)
    }

    @Test("pipes and sockets are refused, and left out where that is wished")
    func pipe() throws {
        let path = try folder { mkfifo("\($0)/odd", 0o600) }
        #expect(refusal("resource.unsupported-entry") { _ = try ResourceSource(at: path) })
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
        #expect(refusal("resource.unsupported-entry") { _ = try ResourceSource(at: "\(path)/inner/odd") })
        #expect(refusal("resource.unsupported-entry") { _ = try ResourceSource(at: "/dev/zero") })
    }

    @Test("names that can't be sent are refused", arguments: ["a\nb", "\u{1B}[2J", "\u{7F}", "\u{85}"])
    func names(name: String) throws {
        let path = try folder { mkdir("\($0)/\(name)", 0o700) }
        #expect(refusal("resource.bad-name") { _ = try ResourceSource(at: path) })
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
    }

    @Test("a name that is not UTF-8 is refused")
    func notUTF8() throws {
        let path = try folder { path in
            let raw = (Array(path.utf8) + [0x2F, 0xFF, 0xFE, 0]).map { CChar(bitPattern: $0) }
            mkdir(raw, 0o700)
        }
        #expect(refusal("resource.bad-name") { _ = try ResourceSource(at: path) })
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
    }

    @Test("what lies too deep is refused, what lies just deep enough arrives")
    func depth() throws {
        var path = from.path(of: "deep")
        mkdir(path, 0o755)
        for _ in 0..<PackLimits.depth {
            path += "/d"
            mkdir(path, 0o755)
        }
        try put([1, 2], at: "\(path)/x")
        let into = TemporaryFolder()
        try Transfer.whole(ResourceSource(at: from.path(of: "deep")), into: into.path)
        #expect(TreeListing.of(into.path(of: "deep")) == TreeListing.of(from.path(of: "deep")))
        mkdir("\(path)/d", 0o755)
        #expect(refusal("resource.too-deep") { _ = try ResourceSource(at: from.path(of: "deep")) })
    }

    @Test("what is not there is said to be missing", arguments: ["nothing", "nothing/inner", "file/x"])
    func missing(name: String) throws {
        try from.put("", at: "file")
        #expect(refusal("resource.not-found") { _ = try ResourceSource(at: from.path(of: name)) })
    }

    @Test("a path's last name names the resource, also behind slashes and dots")
    func lastNames() throws {
        mkdir(from.path(of: "saves"), 0o755)
        for ending in ["saves", "saves/", "saves//", "saves/."] {
            #expect(try ResourceSource(at: from.path(of: ending)).name.text == "saves")
        }
        #expect(try ResourceSource(at: from.path(of: "saves"), as: FileName("other")).name.text == "other")
    }

    @Test("setuid and sticky bits don't travel")
    func specialBits() throws {
        let path = try folder { path in
            chmod("\(path)/good", 0o6755)
            chmod(path, 0o1777)
        }
        let into = TemporaryFolder()
        try Transfer.whole(ResourceSource(at: path), into: into.path)
        var raw = stat()
        lstat(into.path(of: "saves/inner/good"), &raw)
        #expect(raw.st_mode & 0o7777 == 0o755)
        lstat(into.path(of: "saves/inner"), &raw)
        #expect(raw.st_mode & 0o7777 == 0o777)
    }

    @Test("holes stay holes")
    func holes() throws {
        for name in ["alone", "saves/inner/sparse"] {
            if name != "alone" { _ = try folder { _ in } }
            try put([1], at: from.path(of: name))
            truncate(from.path(of: name), 40 << 20)
            try overwrite(from.path(of: name), at: 20 << 20, with: patterned(100_000))
        }
        for (sent, name) in [("alone", "alone"), ("saves", "saves/inner/sparse")] {
            let into = TemporaryFolder()
            try Transfer.whole(ResourceSource(at: from.path(of: sent)), into: into.path)
            var raw = stat()
            lstat(into.path(of: name), &raw)
            #expect(raw.st_size == 40 << 20)
            #expect(raw.st_blocks * 512 < 1 << 20)
            #expect(contents(of: into.path(of: name)) == contents(of: from.path(of: name)))
        }
    }
}
