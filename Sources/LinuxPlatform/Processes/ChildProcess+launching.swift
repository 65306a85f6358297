import CLinux
import Glibc

extension ChildProcess {
    /// Starts a program.
    ///
    /// It begins with every signal at its default and none blocked, and inherits only the three descriptors of
    /// `launch`.
    ///
    /// - Throws: `SystemError` if the program can't be started, with the program as its subject.
    public static func launch(
        _ launch: ProgramLaunch,
        on loop: EventLoop = .shared
    ) throws(SystemError) -> ChildProcess {
        endingsAreReported
        let streams = try ChildStreams(for: launch, on: loop)
        var setup = SpawnSetup()
        try setup.connect(streams.numbers)
        try setup.enter(launch.folder)
        try setup.resetSignals(startingSession: launch.startsSession || launch.takesOthersAlong)
        let identifier = try setup.spawn(launch)
        return try ChildProcess(
            adopting: identifier,
            with: streams,
            takingOthersAlong: launch.takesOthersAlong,
            on: loop
        )
    }

    /// Restores the default for `SIGCHLD`. A child inherits an ignored `SIGCHLD` from its parent, and the kernel would
    /// then discard every exit status.
    private static let endingsAreReported: Void = {
        var action = sigaction()
        sigaction(SIGCHLD, nil, &action)
        // because SIG_IGN is the number 1 as a pointer
        let handler = action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) }
        if handler == 1 { signal(SIGCHLD, SIG_DFL) }
    }()
}

/// The options of `posix_spawn` besides the program: a pair of C objects that need a clean-up.
private struct SpawnSetup: ~Copyable {
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()

    init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
    }

    deinit {
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    mutating func connect(_ numbers: [CInt]) throws(SystemError) {
        for (target, number) in numbers.enumerated() {
            let failure = posix_spawn_file_actions_adddup2(&actions, number, CInt(target))
            try check("posix_spawn_file_actions_adddup2", failure)
        }
        // This program's own descriptors all close by themselves; inherited ones may not.
        try check("posix_spawn_file_actions_addclosefrom_np", posix_spawn_file_actions_addclosefrom_np(&actions, 3))
    }

    mutating func enter(_ folder: String?) throws(SystemError) {
        guard let folder else { return }
        try check("posix_spawn_file_actions_addchdir_np", posix_spawn_file_actions_addchdir_np(&actions, folder))
    }

    mutating func resetSignals(startingSession: Bool) throws(SystemError) {
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let session = startingSession ? 0x80 /* POSIX_SPAWN_SETSID */ : 0
        let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(session)
        try check("posix_spawnattr_setflags", posix_spawnattr_setflags(&attributes, flags))
    }

    mutating func spawn(_ launch: ProgramLaunch) throws(SystemError) -> CInt {
        guard let environment = launch.environment else { return try spawn(launch, with: huddle_environment()) }
        let strings = CStringArray(environment.map { "\($0.key)=\($0.value)" })
        return try spawn(launch, with: strings.pointers)
    }

    private mutating func spawn(
        _ launch: ProgramLaunch,
        with environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) throws(SystemError) -> CInt {
        let words = CStringArray([launch.program] + launch.arguments)
        var identifier: pid_t = 0
        let failure = posix_spawnp(&identifier, launch.program, &actions, &attributes, words.pointers, environment)
        guard failure == 0 else { throw SystemError("posix_spawn", failure, on: launch.program) }
        return identifier
    }

    private func check(_ operation: String, _ failure: CInt) throws(SystemError) {
        if failure != 0 { throw SystemError(operation, failure) }
    }
}
