import Glibc
import LabKit
import LinuxPlatform
import SaveFolder
import TestSupport

/// One fault-injection run in a lab: games save, and a fault hits a host. After its repair, every game must be whole
/// and the same on all hosts.
actor Torture {
    let lab: Lab
    let hosts: [TorturedHost]
    let folder: String
    let seed: UInt64
    var report: TortureReport
    var dice: SeededDice
    private var points = -1
    var evidence = TortureEvidence()

    init(hosts count: Int, seed: UInt64, in folder: String) async throws {
        (self.seed, self.folder, report, dice) = (seed, folder, TortureReport(seed: seed), SeededDice(seed: seed))
        guard geteuid() == 0 else { throw TortureError("file systems are mounted for it, so it needs root") }
        try PlainFile.makeFolders(folder)
        let lab = try await Lab.up(LabPlan(hosts: count))
        self.lab = lab
        hosts = try lab.hosts.map { try TorturedHost($0, in: folder) }
    }

    func end() async {
        for host in hosts { try? await host.keepLog() }
        await lab.end()
    }

    /// Plays rounds until one fails.
    func run(rounds: Int) async {
        var place = "while the machines meet"
        do {
            try await meet()
            for round in 1...rounds {
                dice = SeededDice(seed: seed &* 1_000_003 &+ UInt64(round))
                let victim = hosts[Int.random(in: 0..<hosts.count, using: &dice)]
                let fault = TortureFault.next(&dice, &points, coarse: victim.hasCoarseTimes)
                place = "round \(round) of seed \(seed), \(hosts.count) hosts, \(victim.name): \(fault)"
                for host in hosts { await host.say(place) }
                let start = ContinuousClock.now
                try await play(fault, on: victim)
                let played = ContinuousClock.now
                try await comeToRest()
                if round % 10 == 0 { try await restoreSomething() }
                report.rounds += 1
                report.faults[fault.kind, default: 0] += 1
                Console.note("\(place): \(played - start), at rest after \(.now - played)")
            }
            report.count("old versions let go of", evidence.goneCount)
            for kind in TortureGame.Kind.allCases {
                for host in hosts { report.promises[kind, default: 0] += await host.promisedCount(of: kind) }
            }
            place = "at the end"
            for host in hosts {
                report.checks.append("\(host.name) of \(hosts.count): \(try await host.checkHistory())")
            }
        } catch {
            report.failure = "\(place): \(error)"
            Console.note("FAILED: \(place): \(error)")
            for host in hosts { await host.say("FAILED: \(error)") }
        }
    }

    // MARK: Start

    private func meet() async throws {
        for host in hosts {
            try await host.makeDisk()
            try await host.start()
            evidence.learn(maker: try await host.maker(), isOn: host.name)
        }
        for guest in hosts.dropFirst() { try await introduce(guest, to: hosts[0]) }
        // The first machine vouches for each one to the others.
        for host in hosts {
            for other in hosts where other.name != host.name {
                try await untilTrue("\(host.name) is paired with \(other.name)", within: .seconds(60)) {
                    try await host.isPaired(with: other.name)
                }
            }
        }
        let rules = "\(folder)/scores.rules"
        try PlainFile.write(Array(ScoreTable.rules.utf8), to: rules)
        for kind in TortureGame.Kind.allCases {
            let first = hosts[0]
            try await first.saveOnce(kind, seed: seed)
            try await first.flushGames()
            let ruled = kind == .scores ? ["--rules", rules] : []
            let path = "\(TorturedHost.disk)/games/\(kind)"
            let keep = kind.keptCount.map { ["--keep", "\($0)", "--keep-days", "0"] } ?? ["--keep", "1000000"]
            _ = try await first.huddle(["share", "--only-here", path, "--name", "\(kind)"] + keep + ruled)
            for other in hosts.dropFirst() {
                _ = try await first.huddle(["share", "\(kind)", "--with", other.name])
                try await untilTrue("\(other.name) may join \(kind)", within: .seconds(60)) {
                    (try? await other.huddle(["join", "\(kind)", "--at", path] + keep)) != nil
                }
            }
        }
        try await comeToRest()
    }

    private func introduce(_ guest: TorturedHost, to host: TorturedHost) async throws {
        let inviting = try await guest.starts(["invite", host.address])
        let code = try await inviting.shownCode() ?? ""
        try await untilTrue("\(host.name) has a question", within: .seconds(60)) {
            (try? await host.huddle(["accept", guest.name, code])) != nil
        }
        _ = try await inviting.complete(deadline: .seconds(60))
    }

    // MARK: Rounds

    private func play(_ fault: TortureFault, on victim: TorturedHost) async throws {
        try await arm(fault, victim)
        for kind in TortureGame.Kind.allCases {
            guard isPlayed(kind, fault) else { continue }
            for player in players(of: kind, fault, victim) { try await player.play(kind, seed: dice.next()) }
        }
        try await pause(.milliseconds(Int.random(in: 100...1_500, using: &dice)))
        try await strike(fault, victim)
        try await pause(.milliseconds(Int.random(in: 100...1_000, using: &dice)))
        if fault.isPartition { try await stayApart(victim) }
        for host in hosts { try await host.endGames() }
        if case .diskFullAfterSaving(let left) = fault {
            try await victim.saveOnce(.plain, seed: dice.next())
            try await victim.fillDisk(leaving: left)
            try await pause(.milliseconds(Int.random(in: 400...2_000, using: &dice)))
        }
        try await repair(fault, victim)
    }

    /// Waits until the links to a host have ended, which silence causes after ten seconds, and some time more. Games
    /// save on both sides.
    private func stayApart(_ victim: TorturedHost) async throws {
        try await pause(.milliseconds(Int.random(in: 12_000...15_000, using: &dice)))
        try await untilTrue("\(victim.name) sees that it is alone", within: .seconds(30)) {
            try await victim.sets().allSatisfy { $0.present != true }
        }
        report.count("hosts cut off until their links broke")
    }

    /// True if a kind of game is played in this round. Large saves cost the most and change the least, so they are
    /// played less often.
    private func isPlayed(_ kind: TortureGame.Kind, _ fault: TortureFault) -> Bool {
        switch kind {
        case .plain, .scores: true
        case .large: Int.random(in: 0..<3, using: &dice) == 0
        case .sealed: Int.random(in: 0..<3, using: &dice) == 0 || fault.isOfChangeInPlace
        }
    }

    /// The hosts that play a game. Usually it is one, whose saves the others show. Sometimes it is two, for conflicts.
    private func players(of kind: TortureGame.Kind, _ fault: TortureFault, _ victim: TorturedHost) -> [TorturedHost] {
        var able = hosts
        // No rule can merge a table that a power cut has torn.
        if fault.isOfReceiver || (kind == .scores && fault.tearsGames) { able.removeAll { $0 === victim } }
        able.shuffle(using: &dice)
        if fault.isPartition { return [victim] + able.filter { $0 !== victim }.prefix(1) }
        let isConflict = !fault.isOfReceiver && Int.random(in: 0..<4, using: &dice) == 0
        return Array(able.prefix(isConflict || kind == .scores ? 2 : 1))
    }

    private func arm(_ fault: TortureFault, _ victim: TorturedHost) async throws {
        switch fault {
        case .killedAt(let point, let count, _):
            try await victim.stop()
            try await victim.start(fault: "kill:\(point):\(count)")
        case .powerCutAt(let point, let count, _):
            try await victim.stop()
            try await victim.start(fault: "stop:\(point):\(count)")
        default: break
        }
    }

    private func strike(_ fault: TortureFault, _ victim: TorturedHost) async throws {
        switch fault {
        case .nothing, .diskFullAfterSaving: break
        case .killed: try await victim.kill()
        case .restarted: try await victim.stop()
        case .killedAt(let point, _, let then):
            if await reaches({ await victim.hasDied }) {
                try await victim.requireEndAtStep()
                report.points["\(point)", default: 0] += 1
                if let then { try await killAgain(victim, at: then) }
            }
            try await victim.kill()
        case .powerCutAt(let point, _, let then):
            let isReached = await reaches { await victim.stands }
            if isReached { report.points["\(point) (power)", default: 0] += 1 }
            try await victim.cutPower()
            if isReached, let then { try await cutPowerAgain(victim, at: then) }
        case .powerCut: try await victim.cutPower()
        case .diskFull(let left): try await victim.fillDisk(leaving: left)
        case .cableCut(isSeen: true, _): try await victim.host.cutCable()
        case .cableCut(isSeen: false, _): try await victim.host.isolate()
        case .clockJump(let seconds): try await victim.setClock(seconds)
        }
    }

    /// True if the daemon reaches a failpoint, which may need several saves, or never happen.
    private func reaches(_ condition: @Sendable () async -> Bool) async -> Bool {
        (try? await untilTrue("a step", within: .seconds(8), condition)) != nil
    }

    private func killAgain(_ victim: TorturedHost, at point: ApplyPoint) async throws {
        try await victim.start(fault: "kill:\(point):1")
        if await (try? untilTrue("a step", within: .seconds(3), { await victim.hasDied })) != nil {
            try await victim.requireEndAtStep()
            report.points["\(point) (again)", default: 0] += 1
        }
    }

    private func cutPowerAgain(_ victim: TorturedHost, at point: ApplyPoint) async throws {
        // The daemon may reach the failpoint before it is ready.
        _ = try await victim.launch(fault: "stop:\(point):1")
        if await reaches({ await victim.stands }) { report.points["\(point) (again, power)", default: 0] += 1 }
        try await victim.cutPower()
    }

    private func repair(_ fault: TortureFault, _ victim: TorturedHost) async throws {
        switch fault {
        case .diskFull, .diskFullAfterSaving: try await victim.freeDisk()
        case .cableCut(isSeen: true, _): try await victim.host.plugCable()
        case .cableCut(isSeen: false, _): try await victim.host.rejoin()
        default: break
        }
        for host in hosts {
            if await host.daemon == nil { try await host.start() }
            if await host.hasDied { throw TortureError("\(host.name): the daemon has ended by itself") }
            try await host.requireNoCrash()
        }
    }

    // MARK: Waits

    func pause(_ time: Duration) async throws {
        // because the time of the fault is random
        try await EventLoop.shared.sleep(for: time)
    }

    func untilTrue(
        _ what: String,
        within limit: Duration,
        _ condition: @Sendable () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !condition() {
            guard .now < end else { throw TortureError("not within \(limit): \(what)") }
            try await pause(.milliseconds(100))
        }
    }
}
