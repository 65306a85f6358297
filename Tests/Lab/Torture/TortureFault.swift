import LabKit
import SaveFolder

/// The fault of one host in a round.
enum TortureFault: Sendable, CustomStringConvertible {
    case nothing
    /// SIGKILL at any moment.
    case killed
    /// SIGKILL at a failpoint of applying a version, after a number of times; and again at another one during the
    /// recovery.
    case killedAt(ApplyPoint, Int, then: ApplyPoint?)
    /// A power cut at any moment, while the game writes or not.
    case powerCut(playing: Bool)
    /// A power cut at a failpoint, after a number of times; and again at another one during the recovery.
    case powerCutAt(ApplyPoint, Int, then: ApplyPoint?)
    /// A full disk, except for a number of bytes.
    case diskFull(Int)
    /// A full disk right after a save and before its scan.
    case diskFullAfterSaving(Int)
    /// A pulled cable, or one without traffic: for a moment, or until the links end.
    case cableCut(isSeen: Bool, isLong: Bool)
    /// A wall clock that is wrong by a number of seconds from now on.
    case clockJump(Int)
    /// An orderly end and a restart.
    case restarted

    /// The next fault. Failpoints take turns, so that none is left out.
    ///
    /// - Parameter coarse: true if the disk stores whole seconds. There Huddle reads young files twice, for which the
    ///   wall clock must equal the kernel's clock.
    static func next(_ dice: inout SeededDice, _ points: inout Int, coarse: Bool) -> TortureFault {
        let all = ApplyPoint.allCases
        switch Int.random(in: 0..<20, using: &dice) {
        case 0: return .nothing
        case 1...2: return .killed
        case 3...8:
            points += 1
            let point = all[points % all.count]
            if let first = point.interruption(&dice) { return .killedAt(first, 1, then: point) }
            let isTwice = Int.random(in: 0..<3, using: &dice) == 0
            let then = isTwice ? all.randomElement(using: &dice) : nil
            return .killedAt(point, Int.random(in: 1...2, using: &dice), then: then)
        case 9...11:
            points += 1
            let point = all[points % all.count]
            if let first = point.interruption(&dice) { return .powerCutAt(first, 1, then: point) }
            return .powerCutAt(point, Int.random(in: 1...2, using: &dice), then: nil)
        case 12...13: return .powerCut(playing: Bool.random(using: &dice))
        case 14: return .diskFull(Int.random(in: 0...200_000, using: &dice))
        case 15: return .diskFullAfterSaving(Int.random(in: 0...40_000, using: &dice))
        case 16...17: return .cableCut(isSeen: Bool.random(using: &dice), isLong: Bool.random(using: &dice))
        case 18:
            let seconds = Int.random(in: -300_000_000...300_000_000, using: &dice)
            return coarse ? .restarted : .clockJump(seconds)
        default: return .restarted
        }
    }

    /// True if the host must receive saves of others and not play itself.
    var isOfReceiver: Bool {
        switch self {
        case .killedAt, .powerCutAt, .diskFull: true
        case .powerCut(let playing): !playing
        default: false
        }
    }

    /// True if it needs a save that is changed in place, instead of an exchange of folders.
    var isOfChangeInPlace: Bool {
        switch self {
        case .killedAt(let point, _, _), .powerCutAt(let point, _, _): [.stepTaken, .partWritten].contains(point)
        default: false
        }
    }

    /// True if it interrupts saves of games.
    var tearsGames: Bool {
        if case .powerCut(true) = self { true } else { false }
    }

    /// True if the host is offline so long that all daemons notice it.
    var isPartition: Bool {
        if case .cableCut(_, isLong: true) = self { true } else { false }
    }

    /// The name in the report.
    var kind: String {
        switch self {
        case .nothing: "nothing"
        case .killed: "killed"
        case .killedAt: "killed at a step"
        case .powerCut: "power cut"
        case .powerCutAt: "power cut at a step"
        case .diskFull, .diskFullAfterSaving: "disk full"
        case .cableCut(_, let isLong): isLong ? "cable cut for long" : "cable cut for a moment"
        case .clockJump: "clock jumped"
        case .restarted: "restarted"
        }
    }

    var description: String {
        switch self {
        case .killedAt(let point, let count, let then):
            "killed at \(point), \(count)" + (then.map { ", then at \($0)" } ?? "")
        case .powerCutAt(let point, let count, let then):
            "power cut at \(point), \(count)" + (then.map { ", then at \($0)" } ?? "")
        case .powerCut(let playing): "power cut" + (playing ? " while playing" : "")
        case .diskFull(let left): "disk full but for \(left) bytes"
        case .diskFullAfterSaving(let left): "disk full but for \(left) bytes, after saving"
        case .cableCut(let isSeen, let isLong): (isSeen ? "cable cut" : "cable silent") + (isLong ? " for long" : "")
        case .clockJump(let seconds): "clock \(seconds) s off"
        default: kind
        }
    }
}

extension ApplyPoint {
    /// The failpoint at which a change must be interrupted so that its recovery reaches this one; nil if each change
    /// does.
    fileprivate func interruption(_ dice: inout SeededDice) -> ApplyPoint? {
        guard isOfTakingBack else { return nil }
        return Bool.random(using: &dice) ? .stepTaken : .partWritten
    }

    /// True for a failpoint of undoing a change, which rarely happens without an interruption.
    var isOfTakingBack: Bool { [.takingBack, .stepTakenBack, .takenBack].contains(self) }
}
