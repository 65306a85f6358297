import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform

/// One host of the lab: its disk, which is a file system of its own, its daemon, and the games that are played there.
actor TorturedHost {
    /// Where the disk is, on the host.
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
    /// Versions that the daemon has said it keeps, by the beginning of their names; none of sets of which old ones go.
    private(set) var promised: Set<String> = []
    /// The same of sets of which old ones go.
    private(set) var promisedForAWhile: [TortureGame.Kind: Set<String>] = [:]
    /// The line with which a daemon here has begun to crash.
    private var crash: String?
    /// Whether the daemon is to end itself at a step.
    private var isArmed = false
    /// Sets whose game was interrupted by the power: what it left may be torn, and is its own.
    private(set) var tornByGame: Set<TortureGame.Kind> = []
    /// How many daemons were started or cut off. What one of before has said may be heard late.
    private var lives = 0
    /// Versions of such sets.
    private(set) var excused: Set<String> = []

    init(_ host: LabHost, in folder: String) throws {
        (self.host, name, self.folder) = (host, "H\(host.number)", folder)
        guard let path = realpath(Self.program, nil) else { throw SystemError("realpath", on: Self.program) }
        defer { free(path) }
        ownPath = String(cString: path)
        built = ownPath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }

    private var image: String { "\(folder)/\(name).disk" }
    /// Every second disk keeps times in whole seconds, as disks of other systems do.
    nonisolated var hasCoarseTimes: Bool { host.number % 2 == 0 }
    nonisolated var address: String { "\(host.address):\(Self.port)" }

    /// Runs a program of the system's on the host, which must succeed.
    @discardableResult
    func sh(_ script: String) async throws -> String {
        let ended = try await host.run(["sh", "-c", script], deadline: .seconds(30))
        guard ended.status.isSuccess else { throw TortureError("\(name): \(script): \(ended.standardError.text)") }
        return ended.standardOutput.text
    }

    // MARK: The disk

    func makeDisk() async throws {
        let coarse = hasCoarseTimes ? "-I 128" : ""
        try await sh("truncate -s 2G \(image) && mkfs.ext4 -q -F -m 0 \(coarse) \(image) && mkdir -p \(Self.disk)")
        try await mount()
        let games = TortureGame.Kind.allCases.map { "\(Self.disk)/games/\($0)" }
        try await sh("mkdir -p \(games.joined(separator: " "))")
        try await sh("sync -f \(Self.disk)")
        try await setClock(0)
    }

    /// Nothing is written back before somebody flushes it, and renaming flushes nothing either: whoever relies on luck
    /// has none.
    private func mount() async throws {
        try await sh("mount -o loop,noauto_da_alloc,commit=300 \(image) \(Self.disk)")
    }

    /// What was not flushed at this moment is lost, and the daemon with it.
    func cutPower() async throws {
        daemon?.send(SIGSTOP)
        for game in games { game.process.send(SIGSTOP) }
        lives += 1
        try await sh("\(ownPath) cut-power \(Self.disk)")
        // Of the other sets all is flushed: by Huddle, which has said that they show it, or when their game ended. A
        // game that has saved nothing yet has left nothing torn.
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
        // Others write meanwhile, so that what was free a moment ago may not be any more.
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

    /// Safe from a power cut, or it would be full again after the next one.
    func freeDisk() async throws { try await sh("rm -f \(Self.disk)/ballast && sync -f \(Self.disk)") }

    func setClock(_ seconds: Int) async throws {
        try await sh("printf '%+031d\\n' \(seconds) | dd of=\(Self.clock) conv=notrunc status=none")
    }

    // MARK: The daemon

    func start(fault: String? = nil) async throws {
        let ready = try await launch(fault: fault)
        try await EventLoop.shared.withDeadline(.seconds(60), "start \(name)") { try await ready.value() }
    }

    /// Starts it, and does not wait. Answers with what ends the waiting: when it is ready, or has ended.
    func launch(fault: String?) async throws -> Resumption<Void> {
        // A sanitizer may have something of its own loaded first.
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
            // It ended: whoever waits looks at how.
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
        // What was saved before the power was cut is whole.
        if life == lives, tornByGame.remove(kind) != nil { excused.insert(words[5]) }
    }

    /// Of how many versions of a kind the daemon has said that it keeps them.
    func promisedCount(of kind: TortureGame.Kind) -> Int {
        kind.keptCount == nil ? promised.count : promisedForAWhile[kind]?.count ?? 0
    }

    /// All that games left is in versions by now, or in nothing that anybody shows.
    func comesToRest() throws {
        tornByGame = []
        for kind in TortureGame.Kind.allCases { try savings(of: kind).empty() }
    }

    func say(_ line: String) { log.append("---- \(line)") }

    func kill() async throws {
        guard let daemon else { return }
        // False where it had ended before.
        let isOurs = daemon.send(SIGKILL)
        let ending = try await daemon.wait()
        self.daemon = nil
        try require(ending, isOurs: isOurs)
    }

    /// Where it has ended at a step: that it has not done so in another way.
    func requireEndAtStep() throws {
        if let ending = daemon?.status { try require(ending, isOurs: false) }
    }

    private func require(_ ending: ProgramEnding, isOurs: Bool) throws {
        if let fault = DaemonEnd.fault(ending, isOurs: isOurs, isArmed: isArmed) {
            throw TortureError("\(name): \(fault)" + (crash.map { ": \($0)" } ?? ""))
        }
        try requireNoCrash()
    }

    /// Whoever is killed while it crashes is seen by what it has said.
    func requireNoCrash() throws {
        if let crash { throw TortureError("\(name): the daemon has crashed: \(crash)") }
    }

    /// Ends it as a service manager does.
    func stop() async throws {
        guard let ending = await daemon?.terminate(after: .seconds(20)) else { return }
        daemon = nil
        guard ending == .exited(0) else { throw TortureError("\(name): the daemon ended with \(ending)") }
    }

    var hasDied: Bool { daemon?.status != nil }

    /// Whether it stands still, as it does at a step where the power is to fail.
    var stands: Bool {
        guard let daemon, let text = try? PlainFile.read("/proc/\(daemon.identifier)/stat", atMost: 1_024) else {
            return false
        }
        return String(decoding: text, as: UTF8.self).split(separator: ")").last?.hasPrefix(" T") ?? false
    }

    /// A command that goes on.
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

    /// How all sets stand, as the daemon says.
    func sets() async throws -> [SetState] {
        let lines = try await huddle(["list", "--json"]).split(separator: "\n")
        return try lines.compactMap {
            let news = try JSONDecoder().decode(SetState.self, from: Data($0.utf8))
            return news.event == "save-set" ? news : nil
        }
    }

    /// What `huddle fsck` says once it has read all that is kept; fails where that is not sound.
    func checkHistory() async throws -> String {
        try await huddle(["fsck"], within: .seconds(600)).split(separator: "\n").joined(separator: "; ")
    }

    /// The versions that are wholly here, among so many of the last.
    func wholeVersions(of kind: TortureGame.Kind, among count: Int = 20) async throws -> [String] {
        try await versions(of: kind, among: count).filter(\.isWhole).map(\.id)
    }

    /// So many of the last versions that are known here.
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

    /// Flushes nothing, as games don't.
    func saveOnce(_ kind: TortureGame.Kind, seed: UInt64) async throws {
        try await sh("\(ownPath) write \(kind) \(Self.disk)/games/\(kind) \(seed) \(savings(of: kind).path) once")
    }

    /// What games note down here of their saving. It does not lie on the disk that is broken.
    nonisolated func savings(of kind: TortureGame.Kind) -> SaveLog { SaveLog(path: "\(folder)/\(name).\(kind).saves") }

    /// Which savings games have noted down since all was at rest.
    nonisolated func savings() throws -> [TortureGame.Kind: Set<String>] {
        try Dictionary(uniqueKeysWithValues: TortureGame.Kind.allCases.map { ($0, try savings(of: $0).read().stamps) })
    }

    /// What versions say of who has read them here.
    func maker() async throws -> String {
        let lines = try await huddle(["identity"]).split(separator: "\n").map { $0.split(separator: " ") }
        guard let line = lines.first(where: { $0.count == 2 && $0[0] == "id" }) else {
            throw TortureError("\(name): `huddle identity` does not say who it is")
        }
        return String(line[1])
    }

    /// Lets all games end what they are saving, and end.
    func endGames() async throws {
        for game in games.map(\.process) { await game.standardInput?.close() }
        for game in games.map(\.process) {
            let ending = try await EventLoop.shared.withDeadline(.seconds(60), "end a game") { try await game.wait() }
            guard ending == .exited(0) else { throw TortureError("\(name): a game ended with \(ending)") }
        }
        // What games have not flushed themselves is theirs to lose.
        if !games.isEmpty { try await flushGames() }
        games = []
    }

    func flushGames() async throws { try await sh("sync -f \(Self.disk)/games") }

    // MARK: Looking

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
