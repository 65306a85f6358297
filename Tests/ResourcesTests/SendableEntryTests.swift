import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

@Suite("Unsendable entries", .timeLimit(.minutes(10)))
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
        "A link that may lead out is refused with its path, or skipped on request",
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
        "A link that stays inside is kept",
        arguments: ["good", "../inner/good", "..", "./good", "nowhere", "a//b/", "..."]
    )
    func linksInside(target: String) throws {
        let path = try folder { symlink(target, "\($0)/odd") }
        #expect(try ResourceSource(at: path).entryCount == 3)
    }

    @Test("Pipes and sockets are refused, or skipped on request")
    func pipe() throws {
        let path = try folder { mkfifo("\($0)/odd", 0o600) }
        #expect(refusal("resource.unsupported-entry") { _ = try ResourceSource(at: path) })
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
        #expect(refusal("resource.unsupported-entry") { _ = try ResourceSource(at: "\(path)/inner/odd") })
        #expect(refusal("resource.unsupported-entry") { _ = try ResourceSource(at: "/dev/zero") })
    }

    @Test("Names that can't be sent are refused", arguments: ["a\nb", "\u{1B}[2J", "\u{7F}", "\u{85}"])
    func names(name: String) throws {
        let path = try folder { mkdir("\($0)/\(name)", 0o700) }
        #expect(refusal("resource.bad-name") { _ = try ResourceSource(at: path) })
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
    }

    @Test("A name that is not UTF-8 is refused")
    func notUTF8() throws {
        let path = try folder { path in
            let raw = (Array(path.utf8) + [0x2F, 0xFF, 0xFE, 0]).map { CChar(bitPattern: $0) }
            mkdir(raw, 0o700)
        }
        #expect(refusal("resource.bad-name") { _ = try ResourceSource(at: path) })
        #expect(try ResourceSource(at: path, unsendable: .leftOut).entryCount == 2)
    }

    @Test("A folder at the maximum depth arrives, a deeper one is refused")
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

    @Test("A missing source is reported as not found", arguments: ["nothing", "nothing/inner", "file/x"])
    func missing(name: String) throws {
        try from.put("", at: "file")
        #expect(refusal("resource.not-found") { _ = try ResourceSource(at: from.path(of: name)) })
    }

    @Test("The last name of the path names the resource, also with slashes and dots")
    func lastNames() throws {
        mkdir(from.path(of: "saves"), 0o755)
        for ending in ["saves", "saves/", "saves//", "saves/."] {
            #expect(try ResourceSource(at: from.path(of: ending)).name.text == "saves")
        }
        #expect(try ResourceSource(at: from.path(of: "saves"), as: FileName("other")).name.text == "other")
    }

    @Test("Setuid and sticky bits are not transmitted")
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

    @Test("Holes stay holes")
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
