import Digests
import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import TestSupport
import Vocabulary

/// The change of a test, with its expected method.
enum Scenario: String, CaseIterable, Sendable {
    /// A whole folder: it is exchanged.
    case whole
    /// Some files of a folder with others: step by step.
    case chosen
    /// A part of a large file, and a small one.
    case inPlace
    /// One file.
    case single

    var names: [String] { self == .chosen ? ["a", "b", "deep", "link", "kind", "moved", "new"] : [] }

    var extent: SetPlace.Extent {
        names.isEmpty ? .everything : .chosen(Set(names.compactMap { try? FileName($0) }))
    }
}

/// A set that holds its base, with base and goal captured.
struct ApplyFixture {
    let machine: SetFixture
    let scenario: Scenario
    let base: Manifest
    let goal: Manifest

    init(_ scenario: Scenario, in place: TemporaryFolder = .inMemory()) throws {
        (machine, self.scenario) = (try SetFixture(in: place), scenario)
        try Self.makeBase(scenario, machine)
        base = try machine.capture(machine.folder(scenario.extent)).manifest
        try Self.makeGoal(scenario, machine)
        goal = try machine.capture(machine.folder(scenario.extent)).manifest
        let outcome = try machine.folder(scenario.extent).apply(base, over: goal, from: machine.history)
        guard case .applied(base) = outcome, try state() == base else { throw NotApplied() }
        let folder = try machine.base.opened()
        for (name, manifest) in [("base", base), ("goal", goal)] {
            try AtomicFile(FileName(name)).write(manifest.encoded, in: folder, overwriting: .allowed)
        }
    }

    struct NotApplied: Error {}

    /// The version ID of the goal.
    var version: SnapshotID { SnapshotID(of: goal.encoded, hashedBy: Digest.sha256) }

    func folder(observe: @escaping @Sendable (ApplyPoint) -> Void = { _ in }) throws -> SaveFolder {
        try machine.folder(scenario.extent, observe: observe)
    }

    /// The content of the folder, read completely.
    func state() throws -> Manifest {
        try machine.capture(machine.folder(scenario.extent), rereading: true).manifest
    }

    func apply(_ folder: SaveFolder) throws -> ApplyOutcome {
        try folder.apply(goal, over: base, from: machine.history)
    }

    private static func makeBase(_ scenario: Scenario, _ machine: SetFixture) throws {
        switch scenario {
        case .whole, .chosen:
            try machine.put("a, old", at: "a")
            try machine.put("unchanged", at: "b")
            try machine.put("below", at: "deep/folder/file")
            try machine.put("going", at: "deep/going")
            try machine.put("to be moved", at: "moved")
            try machine.put("a file first", at: "kind")
            try machine.link("link", to: "a")
            try machine.makeFolder("home/save/deep/empty")
            try machine.put("not chosen", at: "other")
            chmod("\(machine.root)/deep/folder", 0o555)
        case .inPlace:
            // The exchange links it before it finds that the large file can't be cloned.
            try machine.put("unchanged", at: "before")
            try machine.put(text(6 << 20), at: "large")
            try machine.put("small, old", at: "small")
        case .single: try machine.put("old", at: "only")
        }
    }

    private static func makeGoal(_ scenario: Scenario, _ machine: SetFixture) throws {
        switch scenario {
        case .whole, .chosen:
            try machine.put("a, new", at: "a")
            chmod("\(machine.root)/a", 0o640)
            chmod("\(machine.root)/deep/folder", 0o755)
            try machine.put("below, new", at: "deep/folder/file")
            chmod("\(machine.root)/deep/folder", 0o555)
            try machine.remove("deep/going")
            try machine.remove("deep/empty")
            rename("\(machine.root)/moved", "\(machine.root)/deep/moved")
            try machine.remove("kind")
            try machine.put("a folder then", at: "kind/inner")
            try machine.remove("link")
            try machine.link("link", to: "b")
            try machine.put("new", at: "new")
        case .inPlace:
            var bytes = Array(text(6 << 20).utf8)
            bytes.replaceSubrange(3_000_000..<3_001_000, with: repeatElement(UInt8(ascii: "x"), count: 1_000))
            bytes.append(contentsOf: "and some more".utf8)
            try machine.put(String(decoding: bytes, as: UTF8.self), at: "large")
            try machine.put("small, new", at: "small")
        case .single: try machine.put("new", at: "only")
        }
    }

    /// Lines that all differ.
    private static func text(_ count: Int) -> String {
        let filler = String(repeating: "-", count: 1_000)
        var text = ""
        text.reserveCapacity(count + 1_024)
        while text.utf8.count < count { text += "\(text.utf8.count)\(filler)\n" }
        return text
    }
}
