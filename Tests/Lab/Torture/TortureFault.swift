import LabKit
import SaveFolder

/// What befalls one host in a round.
enum TortureFault: Sendable, CustomStringConvertible {
    case nothing
    /// SIGKILL at any moment.
    case killed
    /// SIGKILL when a step of changing a folder is reached so many times; and again at another one while that is
    /// mended.
    case killedAt(ApplyPoint, Int, then: ApplyPoint?)
    /// The power fails: at any moment, while the game writes or not.
    case powerCut(playing: Bool)
    /// The power fails when a step of changing a folder is reached so many times; and again at another one while that
    /// is mended.
    case powerCutAt(ApplyPoint, Int, then: ApplyPoint?)
    /// All but so many bytes of the disk are taken.
    case diskFull(Int)
    /// The same, right after the game has saved and before that is captured.
    case diskFullAfterSaving(Int)
    /// The cable is pulled, or nothing passes though it is in: for a moment, or for so long that the links break.
    case cableCut(isSeen: Bool, isLong: Bool)
    /// The clock on the wall is so many seconds off from now on.
    case clockJump(Int)
    /// Ended in order and started again.
    case restarted

    /// Which one is next. Steps of changing a folder come in turn, so that none is left out.
    /// - Parameter coarse: whether the disk keeps whole seconds. What is younger than some of them is looked at twice
    ///   there, for which the clock on the wall and that of the kernel have to be one.
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

    /// Whether the host is one that others' saves come to, and does not play itself.
    var isOfReceiver: Bool {
        switch self {
        case .killedAt, .powerCutAt, .diskFull: true
        case .powerCut(let playing): !playing
        default: false
        }
    }

    /// Whether it needs a save that is changed where it is, rather than by one folder taking another's place.
    var isOfChangeInPlace: Bool {
        switch self {
        case .killedAt(let point, _, _), .powerCutAt(let point, _, _): [.stepTaken, .partWritten].contains(point)
        default: false
        }
    }

    /// Whether games are interrupted in what they save.
    var tearsGames: Bool {
        if case .powerCut(true) = self { true } else { false }
    }

    /// Whether the host is alone for so long that all daemons see it.
    var isPartition: Bool {
        if case .cableCut(_, isLong: true) = self { true } else { false }
    }

    /// For counting.
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
    /// Where a change has to be interrupted for this step to be reached while that is mended; nil where changes reach
    /// it by themselves.
    fileprivate func interruption(_ dice: inout SeededDice) -> ApplyPoint? {
        guard isOfTakingBack else { return nil }
        return Bool.random(using: &dice) ? .stepTaken : .partWritten
    }

    /// Whether it is one of taking a change back, which hardly happens but where one was interrupted.
    var isOfTakingBack: Bool { [.takingBack, .stepTakenBack, .takenBack].contains(self) }
}
