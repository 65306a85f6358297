import Household
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The lines about events of games and of the household.
@Engine
struct GameEventWording {
    private let words: SaveWording

    init(_ household: Household) { words = SaveWording(household) }

    func line(_ event: SaveSyncEvent) async -> DaemonLine {
        await line(event.change, of: event, GameTag(event.set, event.name))
    }

    private func line(_ change: SaveSyncEvent.Change, of event: SaveSyncEvent, _ game: GameTag) async -> DaemonLine {
        let name = event.name
        switch change {
        case .captured(let id): return .version(.saved, game, id, "\(name): a new version, \(id.short)")
        case .arrived(let id): return .version(.arrived, game, id, "\(name): version \(id.short) has arrived")
        case .applied(let id): return .version(.applied, game, id, "\(name): the folder shows \(id.short)")
        case .merged(let id):
            return .version(.merged, game, id, "\(name): rules merged two versions into one, \(id.short)")
        case .conflict(let ids):
            let sentence = "\(name) was changed on two machines; run `huddle fix \(name)`"
            return DaemonLine(.conflict(ConflictEvent(game, ids)), sentence)
        case .whole: return .game(.conflictOver, game, "\(name): the conflict is over")
        case .heldBack(let id, let why):
            return DaemonLine(
                .heldBack(HeldBackEvent(game, id, because: why)),
                "\(name): version \(id.short) waits: \(why)"
            )
        case .quarantined(let id, let error):
            let sentence = "\(name): version \(id.short) is kept out of the folder: \(error.explanation)"
            return DaemonLine(.keptOut(KeptOutEvent(game, id, PassedOnError(error))), sentence, isTrouble: true)
        case .leftOut(let files):
            let sentence = files.count == 0 ? "all files can be synced again" : SaveWording.hint(files)
            let info = LeftOutInfo(count: files.count, reasons: files.reasons)
            return DaemonLine(
                .gameLeftOut(GameLeftOutEvent(game, info)),
                "\(name): \(sentence)",
                isTrouble: files.count > 0
            )
        case .emptied(let emptied):
            let fault = GameFault.emptied(name, emptied, before: nil)
            let event = GameEmptiedEvent(game, emptied, PassedOnError(fault))
            return DaemonLine(.gameEmptied(event), "\(name): \(fault.explanation)", isTrouble: true)
        case .recollected(let recollection): return Self.line(recollection, of: game)
        case .gone: return .game(.folderGone, game, "\(name): its folder is missing", isTrouble: true)
        case .paused(let pause): return Self.line(pause, of: name, game)
        case .status(let status): return DaemonLine(.gameStatus(GameStatusEvent(game, status)), nil)
        case .resumed: return .game(.resumed, game, "\(name): syncs again")
        case .back: return .game(.folderBack, game, "\(name): its folder is there again")
        case .trouble(let error):
            let event = TroubleEvent(game, PassedOnError(error))
            return DaemonLine(.trouble(event), "\(name): \(error.explanation)", isTrouble: true)
        case .lease(let lease): return await self.lease(lease, game)
        case .stopped(let peer, let obstacle):
            let fault = await words.fault(obstacle, with: peer, name)
            let event = GameStoppedEvent(await words.tag(peer), game, obstacle, PassedOnError(fault))
            return DaemonLine(.gameStopped(event), "\(name): \(fault.explanation)", isTrouble: true)
        case .offered(let peer):
            let machine = await words.tag(peer)
            let offer = OfferInfo(
                set: event.set.description,
                name: name.description,
                of: machine,
                machines: [peer.description]
            )
            return DaemonLine(.offer(offer), "\(machine) offers \(name); to join: huddle join \(name)")
        case .refused(let peer, _), .wasRefused(let peer, _), .met(let peer):
            return Self.line(change, of: game, by: await words.tag(peer))
        }
    }

    private static func line(_ pause: SyncPause, of name: SaveSetName, _ game: GameTag) -> DaemonLine {
        let fault = GameFault.paused(name, pause)
        let event = GamePausedEvent(game, until: pause.end, PassedOnError(fault))
        return DaemonLine(.gamePaused(event), "\(name): \(fault.explanation)")
    }

    private static func line(_ recollection: Recollection, of game: GameTag) -> DaemonLine {
        let name = game.name
        guard recollection.usesNumbersTwice else {
            let versions = recollection.count == 1 ? "a version" : "\(recollection.count) versions"
            return .game(
                .ownVersionsBack,
                game,
                "\(name): \(versions) came back that this machine once made and had lost"
            )
        }
        let sentence =
            """
            \(name): this machine made two different versions under one number, as after a restore of an old backup; \
            both stay. If it was not restored, another machine uses its key
            """
        return .game(.ownVersionsBack, game, sentence, isTrouble: true)
    }

    private static func line(_ change: SaveSyncEvent.Change, of game: GameTag, by peer: PeerTag) -> DaemonLine {
        let (kind, words): (GamePeerEvent.Kind, String) =
            switch change {
            case .refused(_, let refusal): (.refused, "the data of \(peer) was refused: \(refusal)")
            case .wasRefused(_, let why): (.wasRefused, "\(peer) refused the data: \(why)")
            default: (.online, "\(peer) is online")
            }
        let event = GamePeerEvent(kind, peer, game)
        return DaemonLine(.gamePeer(event), "\(game.name): \(words)", isTrouble: kind != .online)
    }

    private func lease(_ lease: PlayChange, _ game: GameTag) async -> DaemonLine {
        let name = game.name
        let (state, peer, sentence): (LeaseEvent.State, PeerID?, String) =
            switch lease {
            case .granted: (.playing, nil, "\(name) is played here")
            case .denied(let peer): (.denied, peer, "\(name) is played on %")
            case .requested(let peer): (.requested, peer, "% would like to play \(name)")
            case .lost(let peer): (.lost, peer, "% has taken over \(name); a save here now makes a conflict")
            case .ranOut(let peer):
                (.ranOut, peer, "% played \(name) and was silent for too long; its game counts as ended")
            case .unanswered(let peer): (.unanswered, peer, "% has not stopped \(name)")
            case .taken(let peer): (.taken, peer, "\(name) is played on %")
            case .released: (.released, nil, "\(name) is no longer played")
            }
        var tag: PeerTag?
        if let peer { tag = await words.tag(peer) }
        let line = tag.map { sentence.replacing("%", with: "\($0)") } ?? sentence
        return DaemonLine(.lease(LeaseEvent(state, game, tag)), line)
    }

    func line(_ change: HouseholdChange) async -> DaemonLine {
        switch change {
        case .vouched(let peer, let name, let voucher):
            let tag = PeerTag(peer, name)
            let sentence = """
                Paired with \(tag.full): \(await words.tag(voucher)) vouches for it; `huddle forget \(peer.short)` \
                undoes that
                """
            return DaemonLine(.household(HouseholdEvent(.vouched, tag, by: voucher.description)), sentence)
        case .removed(let peer, let vouchers):
            let tag = await words.tag(peer)
            let sentence = """
                \(await words.names(vouchers)) removed \(tag.full) from the household: `huddle keep \(peer.short)` \
                keeps it here, `huddle forget \(peer.short)` removes it here, too
                """
            let voucher = vouchers.first?.description ?? ""
            return DaemonLine(.household(HouseholdEvent(.removed, tag, by: voucher)), sentence)
        case .trouble(let error):
            return .trouble("the statements about machines of the household can't be stored: \(error)")
        }
    }

    func notSent(_ report: GameReport) async -> DaemonLine {
        let machines = await words.names(report.facts.behind.filter(\.isOnline).map(\.peer))
        let name = report.entry.name
        return DaemonLine(
            .gameEvent(GameEvent(.notSent, GameTag(report.entry))),
            "the machine sleeps or switches off before \(machines) has all of \(name)",
            isTrouble: true
        )
    }
}

extension DaemonLine {
    fileprivate static func version(
        _ kind: GameVersionEvent.Kind,
        _ game: GameTag,
        _ id: SnapshotID,
        _ sentence: String
    ) -> DaemonLine {
        DaemonLine(.gameVersion(GameVersionEvent(kind, game, id)), sentence)
    }

    fileprivate static func game(
        _ kind: GameEvent.Kind,
        _ game: GameTag,
        _ sentence: String,
        isTrouble: Bool = false
    ) -> DaemonLine {
        DaemonLine(.gameEvent(GameEvent(kind, game)), sentence, isTrouble: isTrouble)
    }
}
