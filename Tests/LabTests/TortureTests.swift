import Glibc
import LinuxPlatform
import Testing
import Workbench

extension LabSuites {
    @Suite("Machines with faults while they sync saves", .needsLab, .timeLimit(.minutes(10)))
    struct TortureTests {
        @Test(
            "The machines agree afterwards, and no game is torn",
            .enabled("disks of its own need root") { geteuid() == 0 }
        )
        func torture() async throws {
            let folder = try Workbench.TemporaryFolder()
            let words = ["--rounds", "\(LabSuites.rounds(6))", "--seed", "1", "--in", folder.path]
            let launch = ProgramLaunch("\(Programs.builtFolder)/torture", words)
            let ended = try await ChildProcess.run(launch, deadline: .seconds(540))
            #expect(ended.status.isSuccess, "\(ended.standardOutput.text)\(ended.standardError.text)")
            #expect(ended.standardOutput.text.contains("no set torn, no version lost, all hosts agree"))
            #expect(ended.standardOutput.text.contains(/fsck on H2 of 2: .*: all sound/))
        }
    }
}
