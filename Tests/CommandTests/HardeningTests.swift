import Testing
import Workbench

/// `.ci/check-hardening` with small programs, each without one protection.
@Suite("The check of released programs", .timeLimit(.minutes(5)))
struct HardeningTests {
    private static let whole =
        "-O2 -D_FORTIFY_SOURCE=2 -fPIE -pie -fstack-protector-all -Wl,-z,relro,-z,now,-z,noexecstack"

    /// The further options of the compiler, and the fault that the check finds; empty if it finds none.
    private static let losses = [
        ("", ""),
        ("-no-pie -fno-pie", "it always loads at the same place"),
        ("-Wl,-z,execstack", "its stack is executable"),
        ("-Wl,-z,norelro", "it has no part that becomes read-only"),
        ("-Wl,-z,lazy", "its table of functions stays writable"),
        ("-fno-stack-protector", "no function of it guards its frame"),
        ("-U_FORTIFY_SOURCE", "nothing that C copies is counted"),
        ("-Wl,-rpath,$ORIGIN", "it takes libraries from “$ORIGIN” instead of “”"),
        ("-Wl,--disable-new-dtags,-rpath,/tmp", "it takes libraries from “/tmp” instead of “”"),
    ]

    @Test("A program without one protection is named with it", arguments: losses)
    func loss(more: String, words: String) throws {
        let run = try check("", more)
        #expect(run.complaint.isEmpty == words.isEmpty, "\(run.complaint)")
        #expect(words.isEmpty || run.complaint.contains(words), "\(run.complaint)")
        #expect(run.ending == .exit(words.isEmpty ? 0 : 1))
    }

    @Test("Libraries may be in the named place and in no other")
    func libraries() throws {
        #expect(try check("--libraries-in '$ORIGIN/../lib'", "-Wl,-rpath,$ORIGIN/../lib").ending == .exit(0))
        #expect(try check("--libraries-in '$ORIGIN/../lib'", "-Wl,-rpath,$ORIGIN").ending == .exit(1))
        #expect(try check("--libraries-in '$ORIGIN/../lib'", "").ending == .exit(1))
    }

    private func check(_ options: String, _ more: String) throws -> ProgramRun {
        let folder = try TemporaryFolder()
        let source = try folder.write(
            "#include <string.h>\nint main(int n, char **w) { char r[8]; strcpy(r, w[0]); return r[n - 1] == 1; }\n",
            to: "program.c"
        )
        let script = try folder.write(
            """
            set -e
            g++ -x c \(Self.whole) \(more.replacing("$", with: "\\$")) \(source) -o \(source).out
            exec '\(Repository.root)/.ci/check-hardening' \(options) \(source).out
            """,
            to: "script"
        )
        return try ProgramRun(["bash", script])
    }
}
