import Household
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// The home screen as text.
struct HomePicture {
    /// The daemon's responses.
    struct Facts: Sendable {
        var status: StatusInfo?
        var games: [GameInfo]
        var offers: [OfferInfo]
        var machines: [MachineInfo]
        var invitations: [InvitationEvent]
        /// Sentences about devices that do not run Huddle.
        var devices: [String] = []
    }

    let text: String

    private static let gap = "  "
    private static let longestName = 22

    init(_ facts: Facts, width: Int, now: WallTime = .now) {
        let own = facts.status?.machine
        let paired = facts.machines.filter { $0.isPaired && $0.policy != .block }
        var lines = ["\(own.map { "\($0)" } ?? "this machine") · \(Self.count(paired))"]
        if let trouble = facts.status?.hiding?.message { lines.append("\(trouble)") }
        if !facts.games.isEmpty { lines += [""] + Self.table(facts.games, paired, width, now) }
        if !facts.devices.isEmpty { lines += [""] + facts.devices.map { "  \($0.replacing("\n", with: "\n  "))" } }
        let needs = Self.needs(facts, own, isPaired: !paired.isEmpty)
        if !needs.isEmpty { lines += [""] + needs }
        text = lines.joined(separator: "\n")
    }

    private static func count(_ paired: [MachineInfo]) -> String {
        let online = paired.filter(\.isOnline)
        if paired.count == 1 { return "\(paired[0].machine) is \(online.isEmpty ? "offline" : "online")" }
        return paired.isEmpty ? "no machine is paired" : "\(online.count) of \(paired.count) machines online"
    }

    private static func table(_ games: [GameInfo], _ paired: [MachineInfo], _ width: Int, _ now: WallTime)
        -> [String]
    {
        var rows = [["GAME", "STATE", "LAST SAVE", "MACHINES"]]
        for game in games {
            let age = game.lastSave.flatMap { GameTable.age(time($0.time), at: time(now.secondsSince1970)) }
            let place = game.lastSave.map { ", \($0.machine)" } ?? ""
            let machines = game.sharers.all.map { id in
                let machine = paired.first { $0.machine.id.description == id }
                let name = machine.map { Self.name(of: $0.machine, among: paired) } ?? String(id.prefix(9))
                if game.sharers.notJoined.contains(id) { return "\(name) (not joined)" }
                if game.sharers.paused.contains(id) { return "\(name) (paused there)" }
                return "\(name) \(machine?.isOnline == true ? "●" : "○")"
            }
            let name = "\(PrintableText(game.name, limit: 200))"
            rows.append([name, state(of: game, paired), (age ?? "none yet") + place, machines.joined(separator: "  ")])
        }
        var widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        widths[0] = min(widths[0], longestName)
        let used = widths.reduce(0, +) + gap.count * 4
        // The column of the last save is shortened first: the beginning of its text still says when it was.
        let excess = used + min(rows.map { $0[3].count }.max() ?? 0, 20) - width
        if excess > 0 { widths[2] = max(12, widths[2] - excess) }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in cut(text, to: width).padded(to: width) }
            let room = max(width - widths.reduce(0, +) - gap.count * 4, 8)
            let line = gap + (cells + [cut(row[3], to: room)]).joined(separator: gap)
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.endIndex)])
        }
    }

    private static func name(of machine: PeerTag, among paired: [MachineInfo]) -> String {
        paired.count { $0.machine.name == machine.name } > 1 ? machine.full : "\(machine)"
    }

    private static func state(of game: GameInfo, _ paired: [MachineInfo]) -> String {
        let behind = paired.filter { game.sharers.behind.contains($0.machine.id.description) }
        if game.state == .sending, !behind.isEmpty, behind.allSatisfy({ !$0.isOnline }) {
            return "waiting for \(behind.count == 1 ? "\(behind[0].machine)" : "\(behind.count) machines")"
        }
        let words = game.state.needsUser ? game.state.words.uppercased() : game.state.words
        guard let progress = game.progress, progress.total > 0 else { return words }
        return "\(words) \(progress.percent) %"
    }

    private static func needs(_ facts: Facts, _ own: PeerTag?, isPaired: Bool) -> [String] {
        var needs: [String] = []
        for asking in facts.invitations {
            let peer = asking.machine
            let wish = asking.needsCode ? ("wants to pair", "pair") : ("asks to connect", "accept")
            needs.append("\(peer) \(wish.0) → huddle \(wish.1) \(ShellWord(peer.typed))")
        }
        for machine in facts.machines where !machine.removedBy.isEmpty {
            let removers = facts.machines.filter { machine.removedBy.contains($0.machine.id.description) }
            let by = removers.isEmpty ? "another machine" : removers.map { "\($0.machine)" }.joined(separator: ", ")
            let word = ShellWord(machine.machine.typed)
            needs.append("\(by) removed \(machine.machine) → huddle keep \(word), or huddle forget \(word)")
        }
        for game in facts.games where game.state.needsUser {
            let next = game.problem?.nextStep.map { " → \($0)" } ?? ""
            needs.append("\(PrintableText(game.name, limit: 80)): \(game.problem?.message ?? game.state.words)\(next)")
        }
        for offer in facts.offers where offer.machine.id != own?.id {
            let shown = PrintableText(offer.name, limit: 80)
            let isHere = facts.games.contains { $0.name == offer.name }
            let what = isHere ? "shares a \(shown) of its own, apart from yours" : "offers \(shown)"
            needs.append("\(offer.machine) \(what) → huddle join \(ShellWord(offer.name))")
        }
        if !needs.isEmpty { return ["Needs you:"] + needs.map { gap + $0 } }
        if !isPaired { return ["Pair another machine: run `huddle pair` here and there."] }
        if facts.games.isEmpty {
            return ["Share a game: `huddle games` lists those found here, then `huddle share GAME`."]
        }
        return []
    }

    private static func time(_ seconds: Int64) -> FileTime { FileTime(seconds: seconds, nanoseconds: 0) }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(width - 1, 1)) + "…"
    }
}
