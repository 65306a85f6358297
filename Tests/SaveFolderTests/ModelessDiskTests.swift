import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Disks without modes, such as FAT and exFAT", .timeLimit(.minutes(2)))
struct ModelessDiskTests {
    /// Gives every entry of a folder the single mode of such a disk.
    private static func flatten(_ path: String) {
        chmod(path, 0o755)
        guard let folder = try? Folder(at: path), let entries = try? folder.entries(limit: 1_000) else { return }
        for entry in entries {
            let inner = "\(path)/\(entry.printable)"
            switch entry.kind {
            case .folder: flatten(inner)
            case .file: chmod(inner, 0o755)
            case .symbolicLink, .other: continue
            }
        }
    }

    /// A set in its folder on such a disk.
    private static func folder(
        _ fixture: ApplyFixture,
        _ doing: @escaping @Sendable (ApplyPoint) -> Void = { _ in }
    ) throws -> SaveFolder {
        let home = fixture.machine.home
        flatten(home)
        return try fixture.folder { point in
            flatten(home)
            doing(point)
        }
    }

    private static func bare(_ manifest: Manifest) -> [ManifestEntry] {
        manifest.entries.map { entry in
            switch entry.content {
            case .folder: ManifestEntry(entry.path, .folder(.privateFolder))
            case .file(let file):
                ManifestEntry(
                    entry.path,
                    .file(SavedFile(mode: .readableFile, modified: file.modified, pieces: file.pieces))
                )
            case .link: entry
            }
        }
    }

    @Test("A folder can be changed there, except for the modes", arguments: Scenario.allCases)
    func applies(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let outcome = try fixture.apply(Self.folder(fixture))
        guard case .applied = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let state = try fixture.state()
        #expect(Self.bare(state) == Self.bare(fixture.goal))
        #expect(state != fixture.goal)
        #expect(fixture.machine.debris == [])
    }

    @Test(
        "An undone change leaves the previous content there, and nothing of the new one",
        arguments: Scenario.allCases
    )
    func takenBack(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let machine = fixture.machine
        let path = scenario == .single ? "only" : scenario == .inPlace ? "small" : "b"
        let moment: ApplyPoint = scenario == .whole ? .exchanged : .stepTaken
        let folder = try Self.folder(fixture) { point in
            guard point == moment else { return }
            let aside = machine.debris.first { $0 != "journal" } ?? ""
            // As programs do that replace a file atomically; opening a held file waits.
            try? machine.base.put("in the last instant", at: "writing")
            rename(
                machine.base.path(of: "writing"),
                "\(scenario == .whole ? "\(machine.home)/\(aside)" : machine.root)/\(path)"
            )
        }
        let outcome = try fixture.apply(folder)
        guard case .changedMeanwhile = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(machine.text(at: path) == "in the last instant")
        func rest(_ manifest: Manifest) -> [ManifestEntry] { Self.bare(manifest).filter { $0.path.text != path } }
        #expect(try rest(fixture.state()) == rest(fixture.base))
        #expect(machine.debris == [])
    }
}
