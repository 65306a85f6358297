import CNamespaces
import Glibc
import LinuxPlatform

/// A program that starts in other namespaces as a child of this process. No `nsenter` is in between that must pass on
/// signals and the exit code.
struct NamespaceLaunch: Sendable {
    var launch: ProgramLaunch
    /// The process whose namespaces to enter, and the kinds of them.
    var joined: (keeper: Keeper, namespaces: Namespaces)?
    /// The kinds of namespaces to create.
    var created: Namespaces = []
    /// True if a missing folder means the root folder instead of a failure.
    var folderIsOptional = false

    init(_ launch: ProgramLaunch) {
        self.launch = launch
    }

    /// Starts it on a thread of its own, since the kernel takes some milliseconds to make a network.
    func start() async throws -> ChildProcess {
        try await runBlocking("lab-start") { @Sendable in try startBlocking() }
    }

    /// Starts it on the calling thread.
    func startBlocking() throws -> ChildProcess {
        let streams = try ChildStreams(for: launch)
        let started = call(with: streams.numbers)
        guard started.process > 0 else {
            throw SystemError(Self.step(started.failed_step), started.error, on: launch.program)
        }
        return try ChildProcess(adopting: started.process, with: streams)
    }

    /// Starts it and waits for its end on the calling thread, for short steps before all others. Returns the raw wait
    /// status.
    func runBlockingToEnd() throws -> CInt {
        let streams = try ChildStreams(for: launch)
        let started = call(with: streams.numbers)
        guard started.process > 0 else {
            throw SystemError(Self.step(started.failed_step), started.error, on: launch.program)
        }
        var status: CInt = 0
        try retrying("waitpid") { waitpid(started.process, &status, 0) }
        return status
    }

    private func call(with streams: [CInt]) -> lab_started {
        let words = CStringArray([launch.program] + launch.arguments)
        let environment = CStringArray(
            (launch.environment ?? ProgramLaunch.ownEnvironment).map { "\($0.key)=\($0.value)" }
        )
        let texts = CStringArray([launch.folder ?? "/", "0 \(geteuid()) 1", "0 \(getegid()) 1"])
        var start = lab_request()
        start.process = joined?.keeper.descriptor.number ?? -1
        start.joined = CInt(joined?.namespaces.rawValue ?? 0)
        start.created = CInt(created.rawValue)
        start.streams = (streams[0], streams[1], streams[2])
        start.folder = UnsafePointer(texts.pointers[0])
        start.user_map = UnsafePointer(texts.pointers[1])
        start.group_map = UnsafePointer(texts.pointers[2])
        start.folder_is_optional = folderIsOptional
        start.new_session = launch.startsSession
        start.arguments = UnsafePointer(words.pointers)
        start.environment = UnsafePointer(environment.pointers)
        return lab_start(&start)
    }

    private static func step(_ step: CInt) -> String {
        switch Int(step) {
        case Int(LAB_STEP_JOIN): "setns"
        case Int(LAB_STEP_CREATE): "unshare"
        case Int(LAB_STEP_MAP_IDS): "uid_map"
        case Int(LAB_STEP_STREAMS): "dup2"
        case Int(LAB_STEP_FOLDER): "chdir"
        case Int(LAB_STEP_PROGRAM): "exec"
        default: "fork"
        }
    }
}
