import FoundationEssentials
import Testing
import Workbench

/// The program itself on every file of the corpus. A crash, more than a second of processor time, or too much memory
/// ends it by a signal.
@Suite("huddle state check on the corpus", .timeLimit(.minutes(10)))
struct StateCheckTests {
    struct File: Sendable, CustomTestStringConvertible {
        let path: String
        let expected: String
        var testDescription: String { path }
    }

    private static let folder = "Tests/SecureArchiveTests/Corpus"
    /// The memory limit beyond the size of the file, in KiB.
    private static let memory = 64 << 10

    private static let files: [File] = {
        let manifest = (try? Repository.text(of: "\(folder)/manifest.tsv")) ?? ""
        return manifest.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            return columns.count == 4 ? File(path: String(columns[0]), expected: String(columns[2])) : nil
        }
    }()

    @Test("Each file has its result within a second and 64 MiB beyond the file", arguments: files)
    func corpus(file: File) throws {
        let path = "\(Repository.root)/\(Self.folder)/\(file.path)"
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let run = try ProgramRun(
            ["sh", "-c", "\(Self.limits(fileBytes: size)) exec \"$0\" state check \"$1\"", program, path],
            environment: Self.environment
        )
        let sound: Set<ProgramRun.Ending> = [.exit(0)]
        // Damaged, not allowed, too large; some files are no archives at all.
        var refused: Set<ProgramRun.Ending> = [.exit(17), .exit(18), .exit(19)]
        if run.output.contains("Huddle can't read this format") { refused.insert(.exit(20)) }
        let allowed =
            switch file.expected {
            case "ok": sound
            case "error": refused
            default: sound.union(refused)
            }
        #expect(allowed.contains(run.ending), "\(run.ending): \(run.output)\(run.complaint)")
        #expect(run.output.utf8.count < 2000)
        #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }

    @Test("The corpus has files, and too low a limit ends the program")
    func canFail() throws {
        #expect(Self.files.count > 200)
        guard !Self.isSanitized else { return }
        let run = try ProgramRun(["sh", "-c", "ulimit -d 100; exec \"$0\" state check /dev/null", program])
        #expect(run.ending != .exit(20), "\(run.output)\(run.complaint)")
    }

    private var program: String { "\(Programs.builtFolder)/huddle" }

    /// True under a sanitizer, which needs memory and time of its own.
    private static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

    private static let environment: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        let passedOn = ["TSAN_OPTIONS", "ASAN_OPTIONS", "LD_LIBRARY_PATH", "LD_PRELOAD"].map { ($0, own[$0]) }
        return passedOn.reduce(into: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $0[$1.0] = $1.1 }
    }()

    private static func limits(fileBytes: Int) -> String {
        isSanitized ? "" : "ulimit -t 1; ulimit -d \(memory + (fileBytes >> 10));"
    }
}
