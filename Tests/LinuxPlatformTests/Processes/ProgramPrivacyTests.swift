import Glibc
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

/// Protection of a process against other programs of its user. Each test has its own process, as the change is
/// permanent.
@Suite("Privacy of a program", .timeLimit(.minutes(5)))
struct ProgramPrivacyTests {
    @Test("A process with hidden memory finds its own files and threads, and its children are not hidden")
    func hiddenMemory() async throws {
        await #expect(processExitsWith: .success) {
            Program.hideMemory()
            #expect(Program.isMemoryHidden)
            let folder = TemporaryFolder()
            let file = try retrying("open") { open(folder.path(of: "file"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            #expect(chmod("/proc/self/fd/\(file)", 0o640) == 0)
            for path in ["fd/\(file)", "fdinfo/\(file)", "mountinfo", "statm", "task/\(getpid())/schedstat", "maps"] {
                #expect(access("/proc/self/\(path)", R_OK) == 0, "\(path)")
            }
            let look = ProgramLaunch("sh", ["-c", "test -r /proc/self/environ && test -O /proc/self/environ"])
            let seen = try await ChildProcess.run(look, deadline: .seconds(20)).status
            #expect(seen.isSuccess)
        }
    }

    @Test(
        "Another program of the same user can't read a process with hidden memory",
        .enabled("needs root") { getuid() == 0 }
    )
    func otherProgram() async throws {
        await #expect(processExitsWith: .success) {
            // Root may read everything, and is not the subject.
            #expect(setuid(65_534) == 0)
            let look = ProgramLaunch("ls", ["/proc/\(getpid())/fd"])
            // A change of the user hides a process as well, until it starts another program.
            Program.hideMemory()
            let hidden = try await ChildProcess.run(look, deadline: .seconds(20)).status
            #expect(hidden == .exited(2))
        }
    }

    @Test("A process with private files creates them under any umask", arguments: [0, 0o022, 0o777] as [mode_t])
    func privateFiles(mask: mode_t) async throws {
        await #expect(processExitsWith: .success) { [mask] in
            umask(mask)
            Program.makePrivateFiles()
            let folder = TemporaryFolder()
            close(open(folder.path(of: "file"), O_RDWR | O_CREAT | O_CLOEXEC, 0o666))
            let mode = try FileFacts(at: folder.path(of: "file")).mode
            #expect(mode == .privateFile)
        }
    }
}
