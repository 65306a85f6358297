import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform

/// One host of the lab, with a disk of its own, a daemon and games.
actor TorturedHost {
    /// The path of the disk on the host.
    static let disk = "/run/huddle-disk"
    private static let clock = "/run/huddle-clock"
    private static let port = 4242
    private static let program = "/proc/self/exe"

    nonisolated let host: LabHost
    nonisolated let name: String
    private let folder: String
    private let built: String
    private let ownPath: String
    private(set) var daemon: ChildProcess?
    private var games: [(kind: TortureGame.Kind, process: ChildProcess)] = []
    private var log: [String] = []
    /// The versions that the daemon has reported, by the beginning of their names, for games that keep all.
    private(set) var promised: Set<String> = []
    /// The reported versions of games whose old ones are deleted.
    private(set) var promisedForAWhile: [TortureGame.Kind: Set<String>] = [:]
    /// The first line of a crash of a daemon here.
    private var crash: String?
    /// True if the daemon must kill itself at a failpoint.
    private var isArmed = false
    /// The games that a power cut interrupted. Their saves may be torn, which is the game's fault.
    private(set) var tornByGame: Set<TortureGame.Kind> = []
    /// The number of daemons that were started or cut off. Reports of an earlier one may arrive late.
    private var lives = 0
    /// The versions of games that a power cut interrupted.
    private(set) var excused: Set<String> = []

    init(_ host: LabHost, in folder: String) throws {
        (self.host, name, self.folder) = (host, "H\(host.number)", folder)
        guard let path = realpath(Self.program, nil) else { throw SystemError("realpath", on: Self.program) }
        defer { free(path) }
        ownPath = String(cString: path)
        built = ownPath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }

    private var image: String { "\(folder)/\(name).disk" }
    /// True for every second disk, which stores times in whole seconds, like those of other systems.
    nonisolated var hasCoarseTimes: Bool { host.number % 2 == 0 }
    nonisolated var address: String { "\(host.address):\(Self.port)" }

    /// Runs a program of the system on the host, which must succeed.
    @discardableResult
    func sh(_ script: String) async throws -> String {
        let ended = try await host.run(["sh", "-c", script], deadline: .seconds(30))
        guard ended.status.isSuccess else { throw TortureError("\(name): \(script): \(ended.standardError.text)") }
        return ended.standardOutput.text
    }

    // MARK: Disk

    func makeDisk() async throws {
        let coarse = hasCoarseTimes ? "-I 128" : ""
        try await sh("truncate -s 2G \(image) && mkfs.ext4 -q -F -m 0 \(coarse) \(image) && mkdir -p \(Self.disk)")
        try await mount()
        let games = TortureGame.Kind.allCases.map { "\(Self.disk)/games/\($0)" }
        try await sh("mkdir -p \(games.joined(separator: " "))")
        try await sh("sync -f \(Self.disk)")
        try await setClock(0)
    }

    /// The mount options. Only a flush writes data back, and a rename does not. So code that forgets a flush loses
    /// data.
    private func mount() async throws {
        try await sh("mount -o loop,noauto_da_alloc,commit=300 \(image) \(Self.disk)")
    }

    /// Cuts the power: data without a flush is lost, and the daemon ends.
    func cutPower() async throws {
        daemon?.send(SIGSTOP)
        for game in games { game.process.send(SIGSTOP) }
        lives += 1
        try await sh("\(ownPath) cut-power \(Self.disk)")
        // The data of other games is flushed, by Huddle before its report, or when the game ended. A game that has not
        // saved yet has left nothing torn.
        for kind in games.map(\.kind) where try savings(of: kind).read().hasBegun { tornByGame.insert(kind) }
        for game in games {
            game.process.send(SIGKILL)
            _ = try await game.process.wait()
        }
        games = []
        try await kill()
        try await sh("umount \(Self.disk)")
        try await mount()
    }

    func fillDisk(leaving bytes: Int) async throws {
        // Other programs write meanwhile, so the space that was free a moment ago may be taken.
        try await sh(
            """
            for attempt in 1 2 3 4 5; do
              free=$(df --output=avail -B1 \(Self.disk) | tail -1)
              test $free -le \(bytes) && break
              fallocate -l $((free - \(bytes))) \(Self.disk)/ballast 2>/dev/null && break
            done
            """
        )
    }

    /// Frees the space and flushes, since a power cut would otherwise restore the full disk.
    func freeDisk() async throws { try await sh("rm -f \(Self.disk)/ballast && sync -f \(Self.disk)") }

    func setClock(_ seconds: Int) async throws {
        try await sh("printf '%+031d\\n' \(seconds) | dd of=\(Self.clock) conv=notrunc status=none")
    }

    // MARK: Daemon

    func start(fault: String? = nil) async throws {
        let ready = try await launch(fault: fault)
        try await EventLoop.shared.withDeadline(.seconds(60), "start \(name)") { try await ready.value() }
    }

    /// Starts the daemon without a wait. Returns the future of its being ready, or its end.
    func launch(fault: String?) async throws -> Resumption<Void> {
        // A sanitizer may need its own library to be loaded first.
        let loaded = [ProgramLaunch.ownEnvironment["LD_PRELOAD"], "\(built)/libwrong-clock.so"].compactMap(\.self)
        var environment = [
            "HUDDLE_NAME": name, "LD_PRELOAD": loaded.joined(separator: ":"), "WRONG_CLOCK": Self.clock,
        ]
        environment["HUDDLE_FAULT"] = fault
        let words = ["\(built)/huddled", "--state", "\(Self.disk)/state", "--port", "\(Self.port)"]
        let started = try await host.start(words + ["--into", "\(Self.disk)/inbox"], environment: environment)
        daemon = started
        isArmed = fault?.hasPrefix("kill:") ?? false
        lives += 1
        let (ready, life) = (Resumption<Void>(), lives)
        Task {
            do {
                guard let lines = started.standardError?.lines() else { return }
                for try await line in lines {
                    hears(line, in: life)
                    if line.contains("listening on port") { ready.resume(with: .success(())) }
                }
            } catch {
                hears("the log can't be read: \(error)", in: life)
            }
            // The daemon ended. The waiting code checks how.
            ready.resume(with: .success(()))
        }
        return ready
    }

    private func hears(_ line: String, in life: Int) {
        log.append(line)
        if DaemonEnd.isCrash(line) { crash = crash ?? line }
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 6, words[2] == "a", words[3] == "new", words[4] == "version," else { return }
        guard let kind = TortureGame.Kind(rawValue: String(words[1].dropLast())) else { return }
        if kind.keptCount == nil {
            promised.insert(words[5])
        } else {
            promisedForAWhile[kind, default: []].insert(words[5])
        }
        // Saves from before the power cut are whole.
        if life == lives, tornByGame.remove(kind) != nil { excused.insert(words[5]) }
    }

    /// The number of versions of a kind that the daemon has reported.
    func promisedCount(of kind: TortureGame.Kind) -> Int {
        kind.keptCount == nil ? promised.count : promisedForAWhile[kind]?.count ?? 0
    }

    /// Notes that all torn saves are in versions by now, or in no folder.
    func comesToRest() throws {
        tornByGame = []
        for kind in TortureGame.Kind.allCases { try savings(of: kind).empty() }
    }

    func say(_ line: String) { log.append("---- \(line)") }

    func kill() async throws {
        guard let daemon else { return }
        // False if the daemon had ended before.
        let isOurs = daemon.send(SIGKILL)
        let ending = try await daemon.wait()
        self.daemon = nil
        try require(ending, isOurs: isOurs)
    }

    /// Checks that a daemon that ended at a failpoint did not end in another way.
    func requireEndAtStep() throws {
        if let ending = daemon?.status { try require(ending, isOurs: false) }
    }

    private func require(_ ending: ProgramEnding, isOurs: Bool) throws {
        if let fault = DaemonEnd.fault(ending, isOurs: isOurs, isArmed: isArmed) {
            throw TortureError("\(name): \(fault)" + (crash.map { ": \($0)" } ?? ""))
        }
        try requireNoCrash()
    }

    /// Checks the log for a crash, since a daemon may be killed during one.
    func requireNoCrash() throws {
        if let crash { throw TortureError("\(name): the daemon has crashed: \(crash)") }
    }

    /// Ends the daemon as systemd does.
    func stop() async throws {
        guard let ending = await daemon?.terminate(after: .seconds(20)) else { return }
        daemon = nil
        guard ending == .exited(0) else { throw TortureError("\(name): the daemon ended with \(ending)") }
    }

    var hasDied: Bool { daemon?.status != nil }

    /// True if the daemon is stopped, as at a failpoint for a power cut.
    var stands: Bool {
        guard let daemon, let text = try? PlainFile.read("/proc/\(daemon.identifier)/stat", atMost: 1_024) else {
            return false
        }
        return String(decoding: text, as: UTF8.self).split(separator: ")").last?.hasPrefix(" T") ?? false
    }

    /// Starts a command that continues to run.
    func starts(_ words: [String]) async throws -> ChildProcess {
        try await host.start(["\(built)/huddle"] + words, environment: ["HUDDLE_STATE": "\(Self.disk)/state"])
    }

    func huddle(_ words: [String], within limit: Duration = .seconds(60)) async throws -> String {
        let environment = ["HUDDLE_STATE": "\(Self.disk)/state"]
        let ended = try await host.run(["\(built)/huddle"] + words, environment: environment, deadline: limit)
        guard ended.status.isSuccess else {
            throw TortureError(
                "\(name): huddle \(words.joined(separator: " ")): \(ended.status) \(ended.standardError.text)"
            )
        }
        return ended.standardOutput.text
    }

    /// The states of all games, from the daemon.
    func sets() async throws -> [SetState] {
        let lines = try await huddle(["list", "--json"]).split(separator: "\n")
        return try lines.compactMap {
            let line = try JSONDecoder().decode(SetState.self, from: Data($0.utf8))
            return line.event == "save-set" ? line : nil
        }
    }

    /// The output of `huddle fsck` after it has read the whole history; throws if that is damaged.
    func checkHistory() async throws -> String {
        try await huddle(["fsck"], within: .seconds(600)).split(separator: "\n").joined(separator: "; ")
    }

    /// The complete versions among a number of the newest.
    func wholeVersions(of kind: TortureGame.Kind, among count: Int = 20) async throws -> [String] {
        try await versions(of: kind, among: count).filter(\.isWhole).map(\.id)
    }

    /// A number of the newest versions that are known here.
    func versions(
        of kind: TortureGame.Kind,
        among count: Int
    ) async throws -> [TortureEvidence.ListedVersion] {
        struct Version: Decodable {
            let snapshot: String
            let whole: Bool
        }
        return try await huddle(["history", kind.rawValue, "--limit", "\(count)", "--json"]).split(separator: "\n")
            .map { try JSONDecoder().decode(Version.self, from: Data($0.utf8)) }
            .map { .init(id: $0.snapshot, isWhole: $0.whole) }
    }

    func isPaired(with other: String) async throws -> Bool {
        struct Line: Decodable {
            struct Machine: Decodable { let name: String? }
            let peer: Machine?
            let kind: String?
        }
        return try await huddle(["peers", "--json"]).split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            .contains { $0.peer?.name == other && $0.kind == "accept" }
    }

    struct SetState: Decodable, Sendable {
        let event: String
        let name: String
        let set: String
        let state: String?
        let heads: [String]?
        let snapshot: String?
        let present: Bool?
    }

    // MARK: Games

    func play(_ kind: TortureGame.Kind, seed: UInt64) async throws {
        let words = [ownPath, "write", "\(kind)", "\(Self.disk)/games/\(kind)", "\(seed)", savings(of: kind).path]
        var launch = host.launch(words)
        (launch.standardInput, launch.standardError, launch.startsSession) = (.pipe, .inherited, true)
        games.append((kind, try await host.start(launch)))
    }

    /// Lets a game save once. It flushes nothing, like real games.
    func saveOnce(_ kind: TortureGame.Kind, seed: UInt64) async throws {
        try await sh("\(ownPath) write \(kind) \(Self.disk)/games/\(kind) \(seed) \(savings(of: kind).path) once")
    }

    /// The log of the saves of a game on this host. It is not on the disk that breaks.
    nonisolated func savings(of kind: TortureGame.Kind) -> SaveLog { SaveLog(path: "\(folder)/\(name).\(kind).saves") }

    /// The stamps in the log since all was at rest.
    nonisolated func savings() throws -> [TortureGame.Kind: Set<String>] {
        try Dictionary(uniqueKeysWithValues: TortureGame.Kind.allCases.map { ($0, try savings(of: $0).read().stamps) })
    }

    /// The machines that have read versions from a folder, from the versions here.
    func maker() async throws -> String {
        let lines = try await huddle(["identity"]).split(separator: "\n").map { $0.split(separator: " ") }
        guard let line = lines.first(where: { $0.count == 2 && $0[0] == "id" }) else {
            throw TortureError("\(name): `huddle identity` does not say who it is")
        }
        return String(line[1])
    }

    /// Lets all games finish their saves and end.
    func endGames() async throws {
        for game in games.map(\.process) { await game.standardInput?.close() }
        for game in games.map(\.process) {
            let ending = try await EventLoop.shared.withDeadline(.seconds(60), "end a game") { try await game.wait() }
            guard ending == .exited(0) else { throw TortureError("\(name): a game ended with \(ending)") }
        }
        // Data that games have not flushed themselves is not Huddle's loss.
        if !games.isEmpty { try await flushGames() }
        games = []
    }

    func flushGames() async throws { try await sh("sync -f \(Self.disk)/games") }

    // MARK: Readings

    func look(knowing known: Set<String>) async throws -> [[String]] {
        let list = "\(folder)/\(name).known"
        try PlainFile.write(Array(known.sorted().map { "\($0)\n" }.joined().utf8), to: list)
        let words = [ownPath, "look", Self.disk, list]
        let ended = try await host.run(words, outputLimit: 16 << 20, deadline: .seconds(120))
        guard ended.status.isSuccess else { throw TortureError("\(name): look: \(ended.standardError.text)") }
        return ended.standardOutput.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    func keepLog() throws {
        try PlainFile.write(Array(log.joined(separator: "\n").utf8), to: "\(folder)/\(name).log")
    }
}
