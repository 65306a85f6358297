import Glibc
import LinuxPlatform
import Testing

@testable import LabKit

@Suite("The end of a lab", .serialized, .needsLab, .timeLimit(.minutes(10)))
struct NoLeftoversTests {
    private static let kinds = ["net", "pid", "mnt", "uts", "ipc"]

    /// The namespaces of processes that started before a time. The kernel gives the numbers of ended namespaces to new
    /// ones at once, so younger processes of other labs don't count.
    private func namespacesInUse(byProcessesFrom time: UInt64) throws -> Set<UInt> {
        var result: Set<UInt> = []
        for process in try entries("/proc").compactMap({ CInt($0) }) {
            // The process may end meanwhile.
            guard let record = try? ProcessRecord(process), record.startTime <= time, !record.hasEnded else { continue }
            result.formUnion(Self.kinds.compactMap { namespace($0, of: process) })
        }
        return result
    }

    /// The present time in the kernel's ticks of process starts.
    private func ticks() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let ticksPerSecond = sysconf(CInt(_SC_CLK_TCK))
        return UInt64(time.tv_sec * ticksPerSecond + time.tv_nsec / (1_000_000_000 / ticksPerSecond))
    }

    /// A namespace by the number of its file; nil if the process has ended.
    private func namespace(_ kind: String, of process: some CustomStringConvertible) -> UInt? {
        var facts = stat()
        return stat("/proc/\(process)/ns/\(kind)", &facts) == 0 ? UInt(facts.st_ino) : nil
    }

    private func entries(_ path: String) throws -> [String] {
        guard let folder = opendir(path) else { throw SystemError("opendir", on: path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            )
        }
        return names
    }

    /// A lab in a process of its own, which can be killed.
    private func startLab(_ name: String) async throws -> ChildProcess {
        var launch = ProgramLaunch(try ToolPath.find(), ["up", "--hosts", "2", "--name", name])
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        let owner = try ChildProcess.launch(launch)
        _ = try await line(from: owner.standardError) { $0.contains("the lab is up") }
        return owner
    }

    @Test(
        "A lab whose process is killed leaves no process, no namespace and no interface",
        arguments: [SIGKILL, SIGTERM]
    )
    func killedLab(signal: CInt) async throws {
        let name = "leftovers-\(getpid())-\(signal)"
        let owner = try await startLab(name)
        let folder = try LabFolder()
        let lab = try folder.visit(name)
        // A program that another process has started, and a relay if there can be one.
        let guest = try await lab[1].start(["sleep", "1000"])
        if Lab.availability().canImpair { try await lab[2].impair(delay: .milliseconds(1)) }
        let keepers = lab.hosts.map(\.keeper) + [lab.network.keeper]
        let namespaces = Set(
            keepers.flatMap { keeper in
                Self.kinds.compactMap { namespace($0, of: keeper.identifier) }
            }
        )
        #expect(namespaces.count == 15)
        let time = ticks()
        #expect(try namespaces.isSubset(of: namespacesInUse(byProcessesFrom: time)))

        owner.send(signal)
        _ = try await owner.wait()
        #expect(try await guest.wait() == .signalled(SIGKILL))
        for keeper in keepers {
            try await EventLoop.shared.withDeadline(.seconds(10), "wait for a keeper") {
                try await EventLoop.shared.waitUntil(.readable, keeper.descriptor.number)
            }
        }
        #expect(try namespaces.intersection(namespacesInUse(byProcessesFrom: time)).isEmpty)
        // Interfaces disappear with their namespace, and none was ever in this process's one.
        let interfaces = try entries("/sys/class/net")
        #expect(!interfaces.contains { $0 == "lan" || $0 == "p1" || $0 == "near2" })
        #expect(try !folder.names().contains(name))
        #expect(throws: LabError.self) { try folder.visit(name) }
    }

    @Test("A record with a reused process number is removed, and that process is not touched")
    func staleRecord() async throws {
        let folder = try LabFolder()
        let name = "stale-\(getpid())"
        // This process's own number with another start time.
        let process = LabRecord.Process(identifier: getpid(), startTime: 1)
        let record = LabRecord(privilege: .administrator, owner: process, network: process, hosts: [("host1", process)])
        let file = "\(folder.path)/\(name).lab"
        try TextFile.replace(file, with: record.text)
        await #expect(throws: LabError.self) { try await folder.end(name) }
        #expect(access(file, F_OK) != 0)
        #expect(throws: SystemError.self) { try Keeper(visiting: getpid(), startedAt: 1) }
    }
}
